import type { Shard } from '../settings/settings.ts';

/** What every address of a run carries; the same for the same seed, and another one for each shard. */
export const tagOfSeed = (seed: number, shard?: Shard): string =>
  tagOf(hash(`tag${seed}${shard ? ` ${shard.index}/${shard.count}` : ''}`));

/** A tag that starts with a letter, so that no address looks like a number. */
export const tagOf = (number: number): string => `q${(number >>> 0).toString(36).padStart(7, '0').slice(-5)}`;

/** FNV-1a, 32 bits: spreads places over the seeds. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const unit of text) value = Math.imul(value ^ unit.codePointAt(0)!, 0x01000193);
  return value >>> 0;
}
