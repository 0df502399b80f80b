import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Behaviour } from '../behaviour.ts';

/** A response that is about to be sent. */
interface Sending {
  /** Status line and fields, some of them changed; undefined: left out. */
  readonly head: (changes: Readonly<Record<string, string | undefined>>) => Buffer;
  readonly body: Buffer;
}

/**
 * Sends the bytes of each response as they are given, piece after piece, and ends the connection, which
 * Node's own server would not do: it knows one way of framing.
 */
export const onTheWire = (write: (sending: Sending) => readonly Buffer[]) => (): Behaviour => ({
  around: (inner) => (request, response) => {
    const written: Buffer[] = [];
    const sink = new Writable({
      write: (bytes: Buffer, _, done) => {
        written.push(bytes);
        done();
      },
    });
    const kept = new ServerResponse(request);
    kept.shouldKeepAlive = false;
    kept.useChunkedEncodingByDefault = false;
    kept.assignSocket(sink as Socket);
    kept.on('finish', () => void send(response.socket!, write(sendingOf(Buffer.concat(written)))));
    return inner(request, kept);
  },
});

async function send(socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await setImmediate();
  }
  socket.end();
}

function sendingOf(bytes: Buffer): Sending {
  const end = bytes.indexOf('\r\n\r\n');
  const [line, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  return {
    body: bytes.subarray(end + 4),
    head: (changes) => {
      const names = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
      const kept = lines.filter((field) => !names.has(field.slice(0, field.indexOf(':')).toLowerCase()));
      const added = Object.entries(changes).flatMap(([name, value]) =>
        value === undefined ? [] : `${name}: ${value}`,
      );
      return Buffer.from(`${[line, ...kept, ...added].join('\r\n')}\r\n\r\n`, 'latin1');
    },
  };
}
