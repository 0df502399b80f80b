import { openUndici } from './channel.ts';
import type { Channel } from './channel.ts';
import { dialer } from './dial.ts';
import type { Place } from './dial.ts';
import { openHttp2 } from './h2-channel.ts';
import { openNode } from './node-channel.ts';

/** The connections to a target: those that its requests share, and those of their own. */
export interface Connections {
  readonly shared: () => Channel;
  /** Opens a connection for as long as it is used. */
  readonly ofItsOwn: <T>(use: (connection: Channel) => Promise<T>) => Promise<T>;
  /** Uses Node's client from now on, as undici can't read the responses; undici completes what it has begun. */
  readonly switchToNode: () => void;
  /**
   * Closes the shared connections once their requests are answered, and opens others when they are needed.
   * @param atMost how many; default: as many as at first
   */
  readonly renew: (atMost?: number) => void;
  readonly close: () => Promise<void>;
}

/**
 * @param most shared connections
 * @param timeout milliseconds for opening one
 */
export function openConnections(place: Place, most: number, timeout: number): Connections {
  const { origin } = new URL(place.baseUrl);
  const dial = dialer(place, timeout);
  let open = place.route.http === '2' ? openHttp2 : openUndici;
  let shared = open(origin, most, dial);
  const retired: Channel[] = [];
  const renew = (atMost = most): void => {
    shared.retire();
    retired.push(shared);
    shared = open(origin, atMost, dial);
  };
  return {
    shared: () => shared,
    async ofItsOwn(use) {
      const connection = open(origin, 1, dial);
      try {
        return await use(connection);
      } finally {
        await connection.close();
      }
    },
    switchToNode() {
      if (open !== openUndici) return;
      open = openNode;
      renew();
    },
    renew,
    async close() {
      await Promise.all([...retired, shared].map((channel) => channel.close()));
    },
  };
}
