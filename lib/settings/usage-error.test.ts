import { expect, it } from 'vitest';
import { unreadable } from './usage-error.ts';

it.each([
  ['ENOENT', 'the folder does not exist: check the path, and, if it is relative, the current folder'],
  ['EACCES', "the folder can't be read (permission denied)"],
  ['EIO', "the folder can't be read (EIO)"],
])('the error of a file system is explained: %s', (code, explanation) => {
  expect(unreadable(Object.assign(new Error(code), { code }), 'folder')).toBe(explanation);
});
