import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { allFaults } from '../../reference/faults/faults.ts';
import { startReference } from '../../reference/start.ts';
import type { Around, Behaviour } from '../../reference/behaviour.ts';
import { onRequest } from './sockets.ts';
import type { Target } from './sockets.ts';

export const MEGABYTE = 1024 * 1024;

/** The reference service with trouble in front of it. */
export async function troubled(around: Around, behaviour: Behaviour = {}): Promise<Target> {
  return startReference(0, { ...behaviour, around });
}

/** Turns some of the requests over to trouble. @param share of the requests, from 0 to 1 */
export const atRandom = (share: number, trouble: (response: ServerResponse) => void): Around => {
  return (inner) => (request, response) =>
    randomInt(1_000_000) < share * 1_000_000 ? trouble(response) : inner(request, response);
};

/** Breaks the connection off. */
export const reset = (response: ServerResponse): void => void response.socket?.resetAndDestroy();
/** Answers with a status and nothing else. */
export const status =
  (code: number, fields: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, fields).end();

/** Breaks the connection off in the middle of a body. */
export const cutOff = (response: ServerResponse): void => {
  response.writeHead(201, { 'Content-Length': '1000' }).write('{"id":');
  setImmediate(() => response.socket?.resetAndDestroy());
};

/** A service that breaks one statement. */
export const faulty = (): Behaviour => allFaults.find(({ name }) => name === 'name-uppercase')!.behaviour();

/** Sends what it is given without end, as fast as it is taken. */
export function pour(
  write: (chunk: Buffer) => boolean,
  drained: (next: () => void) => void,
  isOver: () => boolean,
): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const next = (): void => {
    while (!isOver()) if (!write(chunk)) return drained(next);
  };
  next();
}

/** A target that sends its clients elsewhere, where nobody must come. */
export const untouched = async (make: (elsewhere: string) => Promise<Target>): Promise<Target> => {
  let touched = 0;
  const elsewhere = await onRequest((_, response) => {
    touched++;
    response.end('{}');
  });
  const target = await make(elsewhere.baseUrl);
  return {
    ...target,
    complaint: () => (touched > 0 ? `the run went elsewhere ${touched} times` : undefined),
    stop: async () => {
      await elsewhere.stop();
      await target.stop();
    },
  };
};
