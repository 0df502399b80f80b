import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EvidenceLine, RunLine } from '../../schemas/evidence.ts';

/** Non-empty lines of text. An object, as the items of a string would be its characters. */
export type Lines = object & Iterable<string>;

/** The lines of a file, each decoded when it is read: decoded at once, they take up to three times the memory. */
export const linesIn = (bytes: Buffer): Lines => ({
  *[Symbol.iterator]() {
    for (let start = 0; start < bytes.length;) {
      const found = bytes.indexOf('\n', start);
      const end = found === -1 ? bytes.length : found;
      if (end > start) yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
  },
});

/** The parsed lines of evidence that this run has written, or that was checked when it was read. */
export function* parsedLines(lines: Lines): Generator<EvidenceLine> {
  for (const line of lines) yield JSON.parse(line) as EvidenceLine;
}

/** The lines of one type. */
export const linesOf = <T extends EvidenceLine['type']>(
  lines: readonly EvidenceLine[],
  type: T,
): Extract<EvidenceLine, { type: T }>[] =>
  lines.filter((line): line is Extract<EvidenceLine, { type: T }> => line.type === type);

/** When the times of a run's exchanges start, in milliseconds since 1970. */
export const clockOf = ({ clockStartedAt }: RunLine): number => Date.parse(clockStartedAt);

/** A file that was written, or could not be. */
export interface Written {
  readonly path: string;
  /** The code of the error, such as ENOSPC; absent where there was none. */
  readonly code?: string;
}

/** Approximate number of characters of a batch. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Items as lines of text, many at a time: written one by one they would take longer, all at once too much memory.
 * @param lineOf makes the line of an item, without its end
 */
export async function* batches<T>(
  items: Iterable<T> | AsyncIterable<T>,
  lineOf: (item: T) => string,
): AsyncGenerator<string> {
  let batch = '';
  for await (const item of items) {
    batch += `${lineOf(item)}\n`;
    if (batch.length < CHUNK_BYTES) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}

/** Writes values as JSON lines; removes a file that could not be completed. */
export async function writeLines(path: string, values: AsyncIterable<object>): Promise<Written> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const lines = batches(values, (value) => JSON.stringify(value));
    await pipeline(Readable.from(lines), createWriteStream(path));
    return { path };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    await rm(path, { force: true }).catch(() => {});
    return { path, code };
  }
}
