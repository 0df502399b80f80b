import type { Trouble } from './exchange.ts';

const MOST_TRIES: Readonly<Record<Trouble['kind'], number>> = {
  refused: 5,
  reset: 5,
  protocol: 2,
  misread: 4,
  timeout: 2,
  throttled: 12,
};

const numberAlike = (troubles: readonly Trouble[], { kind }: Trouble): number =>
  troubles.filter((trouble) => trouble.kind === kind).length;

/** Whether a request has met the same trouble too often to be tried again. */
export function isGivenUp(troubles: readonly Trouble[]): boolean {
  const last = troubles.at(-1);
  return (
    last !== undefined && last.wait === undefined && numberAlike(troubles, last) >= MOST_TRIES[last.kind]
  );
}

/** Milliseconds that a request itself waits before it is tried again. */
export function pauseAfter(troubles: readonly Trouble[]): number {
  const last = troubles.at(-1);
  if (last === undefined) return 0;
  return isOfConnection(last) ? 50 * 2 ** numberAlike(troubles, last) : (last.wait ?? 0);
}

/** Whether a target that is away for a while, as when it is deployed anew, would give this trouble. */
export const isOfConnection = ({ kind }: Trouble): boolean => kind === 'refused' || kind === 'reset';
