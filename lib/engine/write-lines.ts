import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file of lines that was written, or why it could not be. */
export interface Written {
  readonly path: string;
  /** The code of the error, such as ENOSPC; absent: all is well. */
  readonly code?: string;
}

/** Characters that are written together, about: each write has its price. */
export const AT_ONCE = 64 * 1024;

/** Writes values as JSON, one a line, as they come; nothing is left of a file that could not be written. */
export async function writeLines(path: string, values: AsyncIterable<object>): Promise<Written> {
  async function* texts(): AsyncGenerator<string> {
    let text = '';
    for await (const value of values) {
      text += `${JSON.stringify(value)}\n`;
      if (text.length < AT_ONCE) continue;
      yield text;
      text = '';
    }
    if (text !== '') yield text;
  }
  try {
    await mkdir(dirname(path), { recursive: true });
    await pipeline(Readable.from(texts()), createWriteStream(path));
    return { path };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    await rm(path, { force: true }).catch(() => {});
    return { path, code };
  }
}
