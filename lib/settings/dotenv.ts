import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { UsageError } from './settings.ts';

/**
 * Reads a `.env` file without touching `process.env`. An unquoted value with a `#` is refused:
 * dotenv takes the rest for a comment, and a key cut short looks like a key that is wrong.
 */
export function readDotenv(path: string): Record<string, string> {
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`${path}: it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (source.includes('\0') || source.includes('\uFFFD'))
    throw new UsageError(`${path}: it is not UTF-8; save it anew as UTF-8, without a byte order mark`);
  const cut = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[=:][ \t]*(?=[^'"`\s#])[^\r\n#]*(?<!\s)#/m.exec(source);
  if (cut && /^(?:TARGET|CTS)_/.test(cut[1]!)) {
    throw new UsageError(
      `${cut[1]} in ${path} has a # in an unquoted value, where the rest would be lost: put the value in single quotes`,
    );
  }
  return parse(source);
}
