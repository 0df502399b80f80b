import fc from 'fast-check';

// Short, capitalised ASCII words that no list of reserved, profane or special words would hold.
// oxfmt-ignore
const first = [
  'Ada', 'Alan', 'Anna', 'Carl', 'Clara', 'Dora', 'Edgar', 'Emil', 'Flora', 'Grace', 'Henry', 'Ida', 'John',
  'Julia', 'Karen', 'Laura', 'Linus', 'Maria', 'Nora', 'Oscar', 'Paul', 'Rosa', 'Simon', 'Vera',
];
// oxfmt-ignore
const stem = [
  'Ander', 'Ber', 'Carl', 'Dahl', 'Eng', 'Fis', 'Gar', 'Hol', 'Jen', 'Kel', 'Lar', 'Lin', 'Lund', 'Mil', 'Nor',
  'Ol', 'Par', 'Quin', 'Ric', 'San', 'Tor', 'Vin', 'Wal', 'Win',
];
// oxfmt-ignore
const last = [
  'berg', 'by', 'den', 'field', 'ford', 'gren', 'ham', 'land', 'ley', 'lund', 'man', 'mark', 'ner', 'ness',
  'rick', 'sen', 'son', 'stad', 'sted', 'strom', 'ton', 'ville', 'wall', 'wick', 'wood',
];

/** Names of the plain tier: two short ASCII words, which no sensible service refuses. */
export const plainName: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...first), fc.constantFrom(...stem), fc.constantFrom(...last))
  .map(([given, category, end]) => `${given} ${category}${end}`);

const pattern = new RegExp(`^(?:${first.join('|')}) (?:${stem.join('|')})(?:${last.join('|')})$`);

/** Whether a name is one of the plain tier. */
export const isPlainName = (name: string): boolean => pattern.test(name);
