import fc from 'fast-check';

// Short, capitalised ASCII words that no list of reserved, profane or special words would hold.
const first = [
  'Ada',
  'Alan',
  'Anna',
  'Carl',
  'Clara',
  'Dora',
  'Edgar',
  'Emil',
  'Flora',
  'Grace',
  'Henry',
  'Ida',
  'John',
  'Julia',
  'Karen',
  'Laura',
  'Linus',
  'Maria',
  'Nora',
  'Oscar',
  'Paul',
  'Rosa',
  'Simon',
  'Vera',
];
const last = [
  'Baker',
  'Berg',
  'Carter',
  'Dahl',
  'Fischer',
  'Garner',
  'Hopper',
  'Jensen',
  'Keller',
  'Larsen',
  'Lovelace',
  'Miller',
  'Noether',
  'Olsen',
  'Parker',
  'Quist',
  'Ritter',
  'Sander',
  'Taylor',
  'Turing',
  'Vance',
  'Walker',
  'Weber',
  'Young',
];

/** Names of the plain tier: two short ASCII words, which no sensible service refuses. */
export const plainName: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...first), fc.constantFrom(...last))
  .map((words) => words.join(' '));

/** Whether a name is one of the plain tier. */
export const isPlainName = (name: string): boolean => {
  const [one = '', other = '', ...more] = name.split(' ');
  return more.length === 0 && first.includes(one) && last.includes(other);
};
