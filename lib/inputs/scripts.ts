/**
 * Letters that software unifies, composes, folds or transliterates: by search normalisers (Lucene's analysers,
 * `unaccent`), ICU transforms, input methods, legacy character sets, and the mappings of Unicode (normalisation forms,
 * with marks in the order in which they are typed, SpecialCasing, CaseFolding). Each name has two halves, so that a
 * service that accepts one script at a time accepts its halves; each half has at most 48 code points, all of them
 * letters, marks and spaces.
 */
// oxfmt-ignore
export const scripts: Readonly<Record<string, readonly [string, string]>> = {
  // Special casing, letters without a decomposition, comma and cedilla, dots above, modifier letters.
  Latin: [
    'ÉéüñÑ øØłŁåÅ çœŒæÆ þÞđÐð žőÖŸ ßẞ İıi̇ſŉ ǆǅ ﬀﬃ ĸƒ',
    'șțşţȘŢ ăâ ơưễạ ėęįģķ ħŧŋŊ ŵ ĳŀ əɓ ǰẖẘẚ ḍ ǧ ȷƿ',
  ],
  'accented Latin': [
    'ãāáàäą ćčċĉďě ēëèê íīïî ńňŕř óòôõōö śšŝť ůūúùűŭ źż',
    'ÁÀÄĀ ČĆĎĚĒ ÍÎŁĽĹ ŇÓÔÕ ŘŠŚ ŤÚŮŪÝŹŻ ắở ẁ ġĝĥĵ ǎǚ ǫȳ',
  ],
  'Greek and Cyrillic': [
    'Ὀδυσσεύς ΟΔΟΣ Ωμέγα Ά\u1F71άό\u1FD3ΐΰΪ ᾳᾼῷ ϐϑϕϖϰϱϲϵϴ µ\u2126 ᾶ',
    'Юлия Ёлка ё Йй ЇїіЄґ ЎѓЌ ЉњђЏ щъьэ Ѣѳѵ Ѐѝ ӀӘқңөүҺ',
  ],
  // Letters of Persian, Urdu and Kurdish, forms of alef, heh and yeh, tatweel, harakat, presentation forms; final letters
  // and points of Hebrew.
  'Arabic and Hebrew': [
    'أإآٱا يىیئې كکڪ ةهۀەہ ؤۇ محـمد مُحَم\u0651\u064Eدٌ ٰ ﻻﷲ ںےٹ',
    'שלום ךםןףץ \u05E9\u05C1\u05B8לוֹם בְּ װױײ \uFB1D\uFB2A\uFB4B\uFB4F לַ֪ים ܐ ދި ߊ',
  ],
  // Traditional, simplified and Japanese forms, compatibility ideographs, radicals; both kana, small, voiced and half-width.
  'Han and kana': [
    '國張陳劉體龍黃趙吳楊鄭葉馬臺灣廣東龜後髮裡 国张陈刘体龙东后发里 髙﨑澤沢邊邉齋斎德徳 \uFA19\uF900々〆',
    'さくら サクラ ぁァ がか\u3099 ハ\u309Aぱ ゔヴ ゐヱ ゝヾ ヿゟ ー ｱｶﾞﾊﾟｰ ヵヶ っッ ㇷ',
  ],
  // Syllables and kinds of jamo; scripts with two cases, and ligatures.
  'Hangul and Caucasian': [
    '한국어 각 \u1112\u1161\u11AB ㄱㅏㅎ ﾡﾢ 李\uF9E1 金\uF90A 女\uF981 뷁 김민수 힣 ᄀᆞ',
    'ᲐᲑᲒ აბგ ႠႡ ⴀⴁ ჼ Աա և ԵՒ ﬓﬔ Հայ ᎠᎡ ꭰ ᏸ Ⲁⲁ Ⰰⰰ Ꙁꙁ',
  ],
  // Nukta, candrabindu, vowels of two parts, chillu letters; Sara Am, digraphs, and letters of the same sound.
  'Indic and others': [
    'हिन्दी \u0958क\u093C ज़ हँ हं ऩ \u09DC\u09DFৎো \u0A36 \u0B5C ொ ஸ்ரீ ೊ ൊ ൺൻർ ෝ',
    'ไทย น้ำ\u0E4D\u0E32 เเแ ຳໜ ខ្មែរ ឣ မြန် ဦဿ ᠮ \u0F43\u0F77 ሀሐኀ ሰሠ አዐ',
  ],
};
