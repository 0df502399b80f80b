import type { RequestListener, Server } from 'node:http';
import type { Hooks } from './hooks.ts';

/** How a service differs from the reference: in its answers, or below HTTP. */
export interface Behaviour extends Hooks {
  /** Wraps the whole service, to change timing, connections or bytes. */
  readonly around?: Around;
  /** Configures the server, such as its time-outs. */
  readonly server?: (server: Server) => void;
  /** Path in front of those of the operations; default: none. */
  readonly base?: string;
  /** Whether it is served over TLS, with a certificate of a private authority. */
  readonly isSecure?: boolean;
}

export type Around = (inner: RequestListener) => RequestListener;

/** Adds what the behaviours of a table have in common to each of them. */
export const named = <K extends object>(
  kind: K,
  table: Readonly<Record<string, () => Behaviour>>,
): (K & { name: string; behaviour: () => Behaviour })[] =>
  Object.entries(table).map(([name, behaviour]) => ({ name, ...kind, behaviour }));
