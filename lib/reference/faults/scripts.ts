import { replaced, textFaults, without } from './text-changes.ts';
import type { TextChange } from './text-changes.ts';

/** Replaces single characters. */
const mapped =
  (table: Readonly<Record<string, string>>): TextChange =>
  (text) =>
    Array.from(text, (character) => table[character] ?? character).join('');

/** Moves code points by a distance. */
const moved =
  (from: RegExp, distance: number): TextChange =>
  (text) =>
    text.replace(from, (character) => String.fromCodePoint(character.codePointAt(0)! + distance));

/** How search engines, input methods and cleaners unify letters, and what they remove at the ends. */
const changes: Readonly<Record<string, TextChange>> = {
  // Letters of other scripts than Latin.
  'greek-final-sigma': replaced('ς', 'σ'),
  'cyrillic-yo': mapped({ ё: 'е', Ё: 'Е' }),
  'arabic-yeh-and-kaf': mapped({ ي: 'ی', ى: 'ی', ك: 'ک' }),
  'arabic-alef': mapped({ أ: 'ا', إ: 'ا', آ: 'ا' }),
  'arabic-tatweel': without('\u0640'),
  'hebrew-final-letters': mapped({ ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' }),
  'hebrew-points': without(/[\u0591-\u05c7]/g),
  'hiragana-to-katakana': moved(/[\u3041-\u3096]/g, 0x60),
  'traditional-to-simplified': mapped({ 國: '国', 張: '张', 陳: '陈', 劉: '刘', 體: '体', 龍: '龙' }),
  'hangul-to-jamo': (s) => s.replace(/[\uac00-\ud7a3]/g, (syllable) => syllable.normalize('NFD')),
  'persian-digits': moved(/[\u06f0-\u06f9]/g, 0x30 - 0x6f0),
  'devanagari-digits': moved(/[\u0966-\u096f]/g, 0x30 - 0x966),
  'georgian-mtavruli': moved(/[\u1c90-\u1cba]/g, 0x10d0 - 0x1c90),
  'not-latin-lower-case': (s) => s.replace(/[\p{Lu}--\p{Script=Latin}]/gv, (c) => c.toLowerCase()),
  // Pieces at one end only.
  'null-at-the-end': without(/ (?:null|undefined)$/),
  'title-at-the-start': without(/^(?:Mr|Mrs|Ms|Dr)\.? /),
  'full-stop-at-the-end': without(/\.$/),
  'comma-at-the-end': without(/[,;]+$/),
  'backslash-at-the-end': without(/\\$/),
  'percent-at-the-end': without(/%$/),
  'apostrophe-at-the-start': without(/^'/),
  'hyphens-at-the-start': without(/^-+/),
  'byte-order-mark-at-the-start': without(/^\ufeff/),
  'combining-mark-at-the-start': without(/^\p{M}+/u),
  'joiner-at-the-end': without(/\u200d$/),
  'entity-without-semicolon': replaced(/&(?:amp|lt|gt)(?![;\w])/g, '&'),
};

/** Shows only for letters of some scripts, or for a piece of text at one end. */
export const scripts = textFaults('name', changes);
