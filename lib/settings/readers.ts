import { UsageError } from './settings.ts';

/** A text that a setting can't have. The message says what was expected, and never shows the text. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** Makes a value of the text of a setting. @throws {Misfit} */
export type Reader<T> = (text: string) => T;

/** What a text that holds a key looks like. */
export const looksLikeKey = /sk_(?:test|live)_/;

/** Reads a text that was given. @param name what it was given as @throws {UsageError} */
export function readAs<T>(name: string, read: Reader<T>, text: string): T {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}

/** An absolute URL, without anything that could not stand before a path. */
export const baseUrl: Reader<string> = (text) => {
  if (looksLikeKey.test(text))
    throw new Misfit('holds a key; give the key as TARGET_API_KEY and the URL without it');
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
    throw new Misfit('expected an absolute http or https URL, such as https://staging.example.com/api');
  const { username, password, search, hash, origin, pathname } = new URL(text);
  if (username !== '' || password !== '')
    throw new Misfit('expected a URL without user name and password; the key goes into TARGET_API_KEY');
  if (search !== '' || hash !== '')
    throw new Misfit(
      'expected a URL without query and fragment; the paths of the interface are appended to it',
    );
  return `${origin}${pathname.replace(/\/+$/, '')}`;
};

export const apiKey: Reader<string> = (text) => {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new Misfit(
      'expected printable ASCII without spaces, as it goes into an Authorization header; Bearer is no part of it',
    );
  return text;
};

/** Words separated by commas or spaces, at least one. @param isWord whether a word is known; any is by default */
export const words =
  <W extends string = string>(
    expected: string,
    isWord = (word: string): word is W => word !== '',
  ): Reader<readonly W[]> =>
  (text) => {
    const list = text.split(/[\s,]+/).filter((word) => word !== '');
    if (list.length === 0 || !list.every(isWord)) throw new Misfit(expected);
    return list;
  };

export const number =
  (kind: 'whole' | 'decimal', min: number, max: number): Reader<number> =>
  (text) => {
    const value = Number(text);
    const isOne = (kind === 'whole' ? /^-?\d+$/ : /^\d+(?:\.\d+)?$/).test(text);
    if (!isOne || value < min || value > max)
      throw new Misfit(`expected a ${kind} number from ${min} to ${max}`);
    return value;
  };

export const oneOf =
  <W extends string>(known: readonly W[]): Reader<W> =>
  (text) => {
    const word = known.find((one) => one === text);
    if (word === undefined) throw new Misfit(`expected ${known.join(', ')}`);
    return word;
  };

const YES = ['1', 'true', 'yes'];
const NO = ['0', 'false', 'no'];

export const flag: Reader<boolean> = (text) => {
  if (!YES.includes(text) && !NO.includes(text)) throw new Misfit('expected true or false');
  return YES.includes(text);
};

export const anyText: Reader<string> = (text) => text;
