import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { direct } from '../../settings/route.ts';
import { bearer } from '../../target/credential.ts';
import { NoReply } from '../../target/exchange.ts';
import type { Request } from '../../target/exchange.ts';
import { record } from '../../target/output/record.ts';
import { Target } from '../../target/target.ts';
import { MEGABYTE } from '../hostile/servers.ts';
import { startTroubled } from './service.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const CONCURRENCY = 16;

/** Resources in use after a long load. Memory in megabytes. */
export interface SoakResult {
  readonly exchanges: number;
  /** Requests that got no response in spite of the retries. */
  readonly unanswered: number;
  readonly retries: number;
  readonly seconds: number;
  /** The resident set at this share of the load. */
  readonly residentSet: Readonly<Record<'10 %' | '50 %' | '100 %', number>>;
  /** The heap in use after garbage collection, at this share of the load. */
  readonly heap: Readonly<Record<'20 %' | '100 %', number>>;
  /** Open file descriptors; undefined where the system does not list them. */
  readonly descriptors: Readonly<Record<'before' | 'after', number | undefined>>;
  readonly unhandledRejections: number;
}

/** Megabytes of garbage collection's own data and of compiled code that the heap may gain. */
const HEAP_LEEWAY = 8;

/** Resources that a load has not released; empty: none. */
export const complaintsAbout = ({
  heap,
  descriptors,
  unhandledRejections,
  exchanges,
  unanswered,
}: SoakResult): string[] => [
  ...(heap['100 %'] <= heap['20 %'] * 1.2 + HEAP_LEEWAY ? [] : ['memory grew']),
  ...((descriptors.after ?? 0) <= (descriptors.before ?? 0) ? [] : ['file descriptors stayed open']),
  ...(unhandledRejections === 0 ? [] : ['promise rejections were not handled']),
  ...(unanswered * 20 <= exchanges ? [] : ['more than one request in twenty got no response']),
];

/**
 * Sends `exchanges` requests to a troubled service, in all the ways in which runs send them.
 * @param collectGarbage `gc` of a process that was started with --expose-gc
 */
export async function soak(exchanges: number, collectGarbage: () => void): Promise<SoakResult> {
  const heapInUse = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed / MEGABYTE;
  };
  // The first server of a process opens descriptors that stay open.
  await (await startTroubled()).stop();
  const before = openDescriptors();
  let unhandledRejections = 0;
  const count = (): void => void unhandledRejections++;
  process.on('unhandledRejection', count);
  const service = await startTroubled();
  const target = new Target(
    { ...service, route: direct },
    {
      concurrency: CONCURRENCY,
      rate: 0,
      maxRequests: Infinity,
      timeBudget: 86_400,
      timeout: 5,
    },
  );
  target.redactor.hide(KEY, 'key');
  const startedAt = performance.now();
  const residentSet = { '10 %': 0, '50 %': 0, '100 %': 0 };
  const heap = { '20 %': 0, '100 %': 0 };
  let left = exchanges;
  let unanswered = 0;
  const isAt = (share: number): boolean => left === Math.round(exchanges * (1 - share));
  const work = async (queue: string): Promise<void> => {
    while (left > 0) {
      left--;
      if (isAt(0.1)) residentSet['10 %'] = residentMemory();
      if (isAt(0.2)) heap['20 %'] = heapInUse();
      if (isAt(0.5)) residentSet['50 %'] = residentMemory();
      try {
        await exchange(target, queue, left);
      } catch (error) {
        if (!(error instanceof NoReply)) throw error;
        unanswered++;
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, (_, queue) => work(String(queue))));
  residentSet['100 %'] = residentMemory();
  const { retries } = target.traffic;
  await target.close();
  await service.stop();
  const after = await settledDescriptors(before);
  heap['100 %'] = heapInUse();
  process.off('unhandledRejection', count);
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    exchanges,
    unanswered,
    retries,
    seconds,
    residentSet,
    heap,
    descriptors: { before, after },
    unhandledRejections,
  };
}

/** Sends a request alone, together with others, or on a connection of its own. */
async function exchange(target: Target, queue: string, number: number): Promise<void> {
  const request = requestOf(number);
  if (number % 97 === 0) {
    await target.together([request, request, request], queue);
  } else if (number % 89 === 0) {
    await target.connections.withDedicated((connection) => target.send(request, { queue, connection }));
  } else record(await target.send(request, { queue }), target.redactor);
}

const requestOf = (number: number): Request => ({
  method: 'POST',
  path: '/v1/customers',
  credential: bearer(KEY),
  fields: [['Content-Type', 'application/json']],
  body: Buffer.from(JSON.stringify({ name: `Ada ${number}`, email: `ada${number}@example.com` })),
  chunked: number % 7 === 0,
  close: number % 11 === 0,
});

const residentMemory = (): number => process.memoryUsage.rss() / MEGABYTE;

function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

/** Waits up to five seconds until connections that are being closed are closed. @returns open descriptors */
async function settledDescriptors(before: number | undefined): Promise<number | undefined> {
  for (let turn = 0; turn < 100 && (openDescriptors() ?? 0) > (before ?? 0); turn++) await delay(50);
  return openDescriptors();
}
