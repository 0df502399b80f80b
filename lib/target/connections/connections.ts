import { openUndici } from './channel.ts';
import type { Channel } from './channel.ts';
import { dialer } from './dial.ts';
import type { Endpoint } from './dial.ts';
import { openHttp2 } from './h2-channel.ts';
import { openNode } from './node-channel.ts';

/** A connection for several requests. */
export type DedicatedConnection = Pick<Channel, 'attempt' | 'connects'>;

/** The connections to a target: shared ones, and dedicated ones for a single purpose. */
export interface Connections {
  readonly shared: () => Channel;
  /** Whether the target serves fewer connections than at first, or a single one, so that dedicated ones must wait. */
  readonly areFew: () => boolean;
  /**
   * Opens a dedicated connection for as long as it is used. If the target serves few at a time, there is one after the
   * other, so none may be opened within the use of another; if the target serves a single one, this is a new shared one,
   * which others may use too.
   */
  readonly withDedicated: <T>(use: (connection: DedicatedConnection) => Promise<T>) => Promise<T>;
  /** Uses Node's client from now on, as undici can't read the responses; undici completes what it has begun. */
  readonly switchToNode: () => void;
  /**
   * Closes the shared connections once their requests are answered, and opens others when they are needed.
   * @param atMost how many may be open, a dedicated one included; default: as many as before
   */
  readonly renew: (atMost?: number) => void;
  /** Closes the dedicated connections once their requests are answered; shared ones are used in their place. */
  readonly retireDedicated: () => void;
  readonly close: () => void;
}

/**
 * @param maxConnections shared connections
 * @param timeout milliseconds for opening one
 */
export function openConnections(endpoint: Endpoint, maxConnections: number, timeout: number): Connections {
  const { origin } = new URL(endpoint.baseUrl);
  const dial = dialer(endpoint, timeout);
  let open = endpoint.route.http === '2' ? openHttp2 : openUndici;
  let shared = open(origin, maxConnections, dial);
  let limit = maxConnections;
  let lastUse: Promise<unknown> = Promise.resolve();
  /** Dedicated connections that shared ones have not replaced. */
  const dedicated = new Set<Channel>();
  const retired: Channel[] = [];
  const areFew = (): boolean => limit < maxConnections || limit === 1;
  /** How many of a few connections are not shared for now, but dedicated. */
  let reserved = 0;
  const retireDedicated = (): void => {
    for (const own of dedicated) own.retire();
    dedicated.clear();
  };
  const renew = (atMost = limit): void => {
    shared.retire();
    retired.push(shared);
    shared = open(origin, Math.max(1, atMost - reserved), dial);
    if (atMost < limit) retireDedicated();
    limit = atMost;
  };
  const inPlaceOfShared: Connections['withDedicated'] = (use) => {
    renew(1);
    return use({
      attempt: (...request) => shared.attempt(...request),
      connects: () => [...retired, shared].reduce((sum, channel) => sum + channel.connects(), 0),
    });
  };
  const besideShared: Connections['withDedicated'] = async (use) => {
    const own = open(origin, 1, dial);
    dedicated.add(own);
    try {
      return await use({
        attempt: (...request) => (dedicated.has(own) ? own : shared).attempt(...request),
        connects: () => own.connects() + (dedicated.has(own) ? 0 : 1),
      });
    } finally {
      dedicated.delete(own);
      own.close();
    }
  };
  const reserving: Connections['withDedicated'] = async (use) => {
    reserved = 1;
    renew();
    try {
      return await besideShared(use);
    } finally {
      reserved = 0;
      renew();
    }
  };
  return {
    shared: () => shared,
    areFew,
    withDedicated(use) {
      if (!areFew()) return besideShared(use);
      const next = lastUse.then(() => (limit === 1 ? inPlaceOfShared(use) : reserving(use)));
      lastUse = next.catch(() => {});
      return next;
    },
    switchToNode() {
      if (open !== openUndici) return;
      open = openNode;
      renew();
    },
    renew,
    retireDedicated,
    close() {
      for (const channel of [...retired, shared, ...dedicated]) channel.close();
    },
  };
}
