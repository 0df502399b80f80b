import { faultsOf } from '../fault-or-variant.ts';

/** Changes a text, perhaps to a value of another type. */
export type TextChange = (text: string) => unknown;

/** Faults that each change one member of every customer, unless the change throws. */
export const textFaults = (member: 'name' | 'email', changes: Readonly<Record<string, TextChange>>) =>
  faultsOf(`4.1: ${member} equals the submitted ${member}`, [`customer.${member}.echoed`])(
    Object.fromEntries(
      Object.entries(changes).map(([name, change]) => [
        `${member}-${name}`,
        () => ({ [member]: attempt(change) }),
      ]),
    ),
  );

/** Replaces every match. */
export const replaced =
  (pattern: string | RegExp, by: string): TextChange =>
  (text) =>
    typeof pattern === 'string' ? text.replaceAll(pattern, by) : text.replace(pattern, by);

/** Moves code points by a distance. */
export const moved =
  (from: RegExp, distance: number): TextChange =>
  (text) =>
    text.replace(from, (character) => String.fromCodePoint(character.codePointAt(0)! + distance));

/** Removes every match. */
export const removing = (pattern: string | RegExp): TextChange => replaced(pattern, '');

/** Replaces one particular text. */
export const specialValue =
  (word: string, value: unknown): TextChange =>
  (text) =>
    text === word ? value : text;

/** Keeps the first UTF-16 code units. */
export const cut =
  (units: number): TextChange =>
  (text) =>
    text.slice(0, units);

/** Keeps the first UTF-8 bytes, even if that splits a character. */
export const cutBytes =
  (bytes: number): TextChange =>
  (text) =>
    Buffer.from(text).subarray(0, bytes).toString();

/** Makes a cut for each length. */
export const lengths = (units: readonly number[], suffix: string): Record<string, TextChange> =>
  Object.fromEntries(units.map((count) => [`cut-${count}${suffix}`, cut(count)]));

/** Keeps the text before the first separator. */
export const upTo =
  (separator: string): TextChange =>
  (text) =>
    text.split(separator)[0];

/** Returns the text unchanged if the change throws. */
const attempt =
  (change: TextChange): TextChange =>
  (text) => {
    try {
      return change(text);
    } catch {
      return text;
    }
  };

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&${ENTITIES[character]!};`);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#39',
};

export const unescapeHtml = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (entity, name: string) => Object.keys(ENTITIES).find((key) => ENTITIES[key] === name) ?? entity,
  );
