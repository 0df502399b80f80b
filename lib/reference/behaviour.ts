import type { RequestListener, Server } from 'node:http';
import type { Hooks } from './hooks.ts';

/** A service that differs from the reference: in what it does, or in how it is reached. */
export interface Behaviour extends Hooks {
  /** Stands around the whole service: what happens beneath a request, its timing and its connection. */
  readonly around?: Around;
  /** Sets up the server itself, such as its time-outs. */
  readonly server?: (server: Server) => void;
  /** Path in front of those of the operations; none by default. */
  readonly base?: string;
  /** Whether it is reached over TLS, with a certificate of an authority that nobody knows. */
  readonly isSecure?: boolean;
}

export type Around = (inner: RequestListener) => RequestListener;

/** What is made of each behaviour of one kind, by name. */
export const named = <K extends object>(
  kind: K,
  table: Readonly<Record<string, () => Behaviour>>,
): (K & { name: string; behaviour: () => Behaviour })[] =>
  Object.entries(table).map(([name, behaviour]) => ({ name, ...kind, behaviour }));
