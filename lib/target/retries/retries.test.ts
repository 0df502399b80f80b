import { expect, it } from 'vitest';
import { createRedactor } from '../output/redactor.ts';
import type { SentReply } from '../sender.ts';
import { http, post, queue, targetAt } from '../target.testing.ts';
import { Retries } from './retries.ts';
import { pendingRequest } from './retry-policy.ts';

it('a request awaits the end of an outage where sending others alone has not helped, too', async () => {
  let looks = Infinity;
  const baseUrl = await http((_, response) => response.writeHead(++looks < 3 ? 503 : 404).end());
  const retries = new Retries(targetAt(baseUrl), 1000, createRedactor());
  const answered = (status: number): SentReply => ({
    reply: { status, text: '', fields: {}, json: undefined, notJson: undefined, utf8: true },
    sentAt: performance.now(),
    firstByte: 1,
    duration: 1,
    inFlight: 2,
  });
  const [one, two, three, four, five, other] = Array.from({ length: 6 }, () => pendingRequest(post(), queue));
  await retries.after(one!, answered(201));
  // Being sent alone has not helped any of these.
  for (const failing of [two!, three!, four!])
    while ((await retries.after(failing, answered(503))) !== 'final');
  for (let time = 0; time < 4; time++) await retries.after(five!, answered(503));
  await retries.after(one!, answered(201));
  await retries.after(other!, answered(503));
  await retries.after(five!, answered(503));
  await retries.after(other!, answered(503));
  expect(other!.next).toEqual({ quiet: 100 });
  looks = 0;
  expect(await retries.after(other!, answered(503))).toBe('again');
  expect(looks).toBeGreaterThan(2);
});
