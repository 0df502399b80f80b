import type { Shard } from '../settings/settings.ts';

/** The id that every address of a run carries; the same for the same seed, and another one for each shard. */
export const runIdOfSeed = (seed: number, shard?: Shard): string =>
  runIdOf(hash(`run${seed}${shard ? ` ${shard.index}/${shard.count}` : ''}`));

/** An id of six characters that starts with a letter, so that no address looks like a number. */
export const runIdOf = (number: number): string =>
  `q${(number >>> 0).toString(36).padStart(7, '0').slice(-5)}`;

/** FNV-1a, 32 bits: spreads places over the seeds. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const unit of text) value = Math.imul(value ^ unit.codePointAt(0)!, 0x01000193);
  return value >>> 0;
}
