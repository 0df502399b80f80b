/** A file could not be written, through no fault of the suite or the target. The message says what to do. */
export class NotWritten extends Error {
  override readonly name = 'NotWritten';
}

/** What the operating system says, in words. */
const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room',
  EDQUOT: 'the disk quota is used up; make room',
  EFBIG: 'a limit on the size of files is in the way; raise it',
  EROFS: 'the file system is read-only; name another folder with --out',
};

/** @param error what writing the file came to */
export const notWritten = (path: string, error: unknown): NotWritten => {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  const words = WORDS[code] ?? 'look at its folder, or name another with --out';
  return new NotWritten(`${path} could not be written (${code}): ${words}, and run again`);
};
