import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bearer } from '../../target/credential.ts';
import { NoReply } from '../../target/exchange.ts';
import type { Request } from '../../target/exchange.ts';
import { record } from '../../target/record.ts';
import { Target } from '../../target/target.ts';
import { startTroubled } from './soak-service.ts';
import type { Soaked } from './soaked.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const LANES = 16;

/** Sends a load of so many exchanges through all kinds of trouble, as experiments do, and looks at what is left. */
export async function soak(exchanges: number): Promise<Soaked> {
  // What the first server of a process opens, stays open.
  await (await startTroubled()).stop();
  const before = openDescriptors();
  let rejections = 0;
  const count = (): void => void rejections++;
  process.on('unhandledRejection', count);
  const service = await startTroubled();
  const target = new Target(service.baseUrl, {
    concurrency: LANES,
    rate: 0,
    maxRequests: Infinity,
    timeBudget: 86_400,
    timeout: 5,
  });
  target.redactor.hide(KEY, 'key');
  const startedAt = performance.now();
  const rss = { '10 %': 0, '50 %': 0, '100 %': 0 };
  const heap = { '20 %': 0, '100 %': 0 };
  let left = exchanges;
  let lost = 0;
  const passed = (share: number): boolean => left === Math.round(exchanges * (1 - share));
  const work = async (queue: string): Promise<void> => {
    while (left > 0) {
      left--;
      if (passed(0.1)) rss['10 %'] = residentSet();
      if (passed(0.2)) heap['20 %'] = heapInUse();
      if (passed(0.5)) rss['50 %'] = residentSet();
      try {
        await exchange(target, queue, left);
      } catch (error) {
        if (!(error instanceof NoReply)) throw error;
        lost++;
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, queue) => work(String(queue))));
  rss['100 %'] = residentSet();
  const { retries } = target.traffic;
  await target.close();
  await service.stop();
  const after = await settledDescriptors(before);
  heap['100 %'] = heapInUse();
  process.off('unhandledRejection', count);
  const seconds = (performance.now() - startedAt) / 1000;
  return { exchanges, lost, retries, seconds, rss, heap, descriptors: { before, after }, rejections };
}

/** One exchange, sent in one of the ways in which experiments send. */
async function exchange(target: Target, queue: string, number: number): Promise<void> {
  const request = requestOf(number);
  if (number % 97 === 0) {
    await target.together([request, request, request], queue);
  } else if (number % 89 === 0) {
    await target.withConnection((connection) => target.send(request, { queue, connection }));
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

const MEGABYTE = 1024 * 1024;
const residentSet = (): number => process.memoryUsage.rss() / MEGABYTE;

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / MEGABYTE;
}

function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

/** How many are open once what is being closed is closed; five seconds are enough for that. */
async function settledDescriptors(before: number | undefined): Promise<number | undefined> {
  for (let turn = 0; turn < 100 && (openDescriptors() ?? 0) > (before ?? 0); turn++) await delay(50);
  return openDescriptors();
}
