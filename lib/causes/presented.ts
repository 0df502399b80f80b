import type { Cause } from './cause.ts';

/** A request to one operation, and whether it was accepted. */
export interface Presented {
  /** The value of Authorization; undefined: no such header. */
  readonly authorization: string | undefined;
  /**
   * Further differences from a usual request, such as headers or a path, in words; `{key}` stands for the key, `{origin}`
   * for the origin of the target, `{token}` for an issued token.
   */
  readonly conditions: readonly string[];
  readonly body: Uint8Array;
  /** Of the exchange, in the order of requests. */
  readonly number: number;
  /** Whether it was sent on a connection after an accepted request. */
  readonly isAfterAccepted: boolean;
  readonly accepted: boolean;
  /** Of the response. */
  readonly status: number;
}

/** A rule by which a service seems to accept requests. */
export interface Hypothesis {
  readonly cause: Cause;
  readonly accepts: (request: Presented, key: string) => boolean;
}

/** Most things, such as conditions, that a likely cause names. */
export const MAX_NAMED = 3;

export const PROTECT = 'Require the key in front of every handler of the operation, and reject by default.';

/** The credential in the Bearer scheme; undefined: there is none. */
export const bearerIn = ({ authorization }: Presented): string | undefined =>
  /^bearer +([^ \t].*?)[ \t]*$/is.exec(authorization ?? '')?.[1];
