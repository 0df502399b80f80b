import { tagOfSeed } from '../engine/tag.ts';
import { printable } from '../target/printable.ts';
import type { Settings } from '../settings/settings.ts';

/** Customers that a run creates beside those of the widest experiment, about. */
const BESIDE = 45;
/** Cases that every shard of a run has: what the target takes must be known to each. */
const WHOLE = 170;
/** Those that open questions take, about. */
const FOR_QUESTIONS = 50;

/** What a run is about to send, in words, before anything is sent. */
export function planOf(settings: Settings): string {
  const {
    baseUrl,
    maxRequests,
    concurrency,
    rate,
    timeBudget,
    cases,
    seed,
    shard,
    profile,
    writeProfile,
    corpus,
    only,
  } = settings;
  const isProbing = profile !== undefined || writeProfile !== undefined;
  const shared = Math.max(0, cases - WHOLE);
  const wanted =
    cases - shared + Math.ceil(shared / (shard?.count ?? 1)) + BESIDE + (isProbing ? FOR_QUESTIONS : 0);
  const customers = Math.min(wanted, maxRequests);
  const target = baseUrl === undefined ? 'the embedded reference service' : printable(baseUrl);
  const pace = rate > 0 ? `, ${rate} a second` : '';
  const first =
    corpus.length === 0
      ? ''
      : `; ${corpus.length} recorded ${corpus.length === 1 ? 'case is' : 'cases are'} sent again first`;
  return (
    `${target} will be sent at most ${maxRequests} requests, ${concurrency} in flight${pace}, within ${timeBudget} s; ` +
    `${only === undefined ? 'about' : 'at most about'} ${customers} customers will be created at example.com and other reserved names, tagged ${tagOfSeed(seed, shard)} (seed ${seed})${first}`
  );
}
