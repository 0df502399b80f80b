import { variableNames } from './settings.ts';

/**
 * The variable of a setting that a name is probably meant to be; undefined: none.
 * @param isGiven whether a variable is set itself: then a similar name is probably of another tool
 */
export const meantBy = (name: string, isGiven: (variable: string) => boolean): string | undefined =>
  variableNames.find((one) => hasLettersOf(name, one) || (isSlipOf(name, one) && !isGiven(one))) ??
  variableNames.find((one) => hasOtherPrefix(name, one) && !isGiven(one));

const lettersOf = (name: string): string => name.toUpperCase().replaceAll('_', '');

/** Whether a name has the letters of another one, in any order. */
const hasLettersOf = (name: string, other: string): boolean => {
  const [own, others] = [name, other].map((one) => [...lettersOf(one)].toSorted().join(''));
  return own === others;
};

/** Prefixes of variables: what belongs to the target, and what belongs to the suite. */
const PREFIX = /^(?:TARGET|CTS)_/;

/** Whether a name has the prefix of other settings than the one that it names. */
const hasOtherPrefix = (name: string, other: string): boolean =>
  PREFIX.test(name) && name.replace(PREFIX, '') === other.replace(PREFIX, '');

/**
 * Whether a name has one letter more or less than another one, or another letter in one place, or lacks one of its inner
 * words. Other tools may have a setting of that name.
 */
function isSlipOf(name: string, other: string): boolean {
  const words = other.split('_');
  if (words.slice(1, -1).some((word) => other.replace(`${word}_`, '') === name)) return true;
  const [shorter, longer] = [name, other]
    .map(lettersOf)
    .toSorted((one, another) => one.length - another.length) as [string, string];
  const at = [...longer].findIndex((letter, index) => letter !== shorter[index]);
  const rest = longer.slice(at + 1);
  // TARGET_CC is not a misspelt TARGET_CA: other tools have targets, too.
  const mayBeMeant = name.startsWith('CTS_') || other.replace(PREFIX, '').length >= 4;
  return rest === shorter.slice(at) || (mayBeMeant && rest === shorter.slice(at + 1));
}
