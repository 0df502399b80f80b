import { openUndici } from './channel.ts';
import type { Channel } from './channel.ts';
import { dialer } from './dial.ts';
import type { Endpoint } from './dial.ts';
import { openHttp2 } from './h2-channel.ts';
import { openNode } from './node-channel.ts';

/** A connection for several requests. */
export type DedicatedConnection = Pick<Channel, 'attempt' | 'connects'>;

/** The connections to a target: those that its requests share, and those of their own. */
export interface Connections {
  readonly shared: () => Channel;
  /**
   * Opens a connection for as long as it is used. If the target serves a single one at a time, that is a new shared one,
   * which others may use too; such uses follow each other, so none may be within another.
   */
  readonly withDedicated: <T>(use: (connection: DedicatedConnection) => Promise<T>) => Promise<T>;
  /** Uses Node's client from now on, as undici can't read the responses; undici completes what it has begun. */
  readonly switchToNode: () => void;
  /**
   * Closes the shared connections once their requests are answered, and opens others when they are needed.
   * @param atMost how many; default: as many as before
   */
  readonly renew: (atMost?: number) => void;
  readonly close: () => void;
}

/**
 * @param most shared connections
 * @param timeout milliseconds for opening one
 */
export function openConnections(endpoint: Endpoint, most: number, timeout: number): Connections {
  const { origin } = new URL(endpoint.baseUrl);
  const dial = dialer(endpoint, timeout);
  let open = endpoint.route.http === '2' ? openHttp2 : openUndici;
  let shared = open(origin, most, dial);
  let limit = most;
  let lastUse: Promise<unknown> = Promise.resolve();
  const owned = new Set<Channel>();
  const retired: Channel[] = [];
  const renew = (atMost = limit): void => {
    limit = atMost;
    shared.retire();
    retired.push(shared);
    shared = open(origin, atMost, dial);
    if (limit === 1) for (const own of owned) own.retire();
  };
  const inPlaceOfShared = <T>(use: (connection: DedicatedConnection) => Promise<T>): Promise<T> => {
    const next = lastUse.then(() => {
      renew(1);
      return use({
        attempt: (...request) => shared.attempt(...request),
        connects: () => [...retired, shared].reduce((sum, channel) => sum + channel.connects(), 0),
      });
    });
    lastUse = next.catch(() => {});
    return next;
  };
  return {
    shared: () => shared,
    async withDedicated(use) {
      if (limit === 1) return inPlaceOfShared(use);
      const own = open(origin, 1, dial);
      owned.add(own);
      try {
        return await use({
          attempt: (...request) => (limit === 1 ? shared : own).attempt(...request),
          connects: () => own.connects() + (limit === 1 ? 1 : 0),
        });
      } finally {
        owned.delete(own);
        own.close();
      }
    },
    switchToNode() {
      if (open !== openUndici) return;
      open = openNode;
      renew();
    },
    renew,
    close() {
      for (const channel of [...retired, shared]) channel.close();
    },
  };
}
