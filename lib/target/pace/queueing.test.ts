import { expect, it } from 'vitest';
import { bearer } from '../credential.ts';
import { post } from '../target.testing.ts';
import { detectQueueing } from './queueing.ts';

const customer = post({ path: '/v1/customers' });
const token = post({ path: '/v2/tokens' });

it('a request was queued if its response is late, and another like it was answered much faster', () => {
  const isQueued = detectQueueing(10_000);
  expect(isQueued(token, 700, true)).toBe(false);
  expect(isQueued(token, 4900, true)).toBe(false);
  expect(isQueued(token, 5600, true)).toBe(true);
});

it.each([
  ['a request to a slow operation', token],
  ['a request whose invalid key is rejected with a delay', { ...customer, credential: bearer('wrong') }],
])('%s was not queued, however fast others are', (_, request) => {
  const isQueued = detectQueueing(10_000);
  expect(isQueued(customer, 5, true)).toBe(false);
  expect(isQueued(request, 6000, true)).toBe(false);
  expect(isQueued(request, 9000, true)).toBe(false);
});

it('a success is not compared with a rejection, which may be faster', () => {
  const isQueued = detectQueueing(10_000);
  expect(isQueued(token, 5, false)).toBe(false);
  expect(isQueued(token, 6000, true)).toBe(false);
  expect(isQueued(token, 6000, false)).toBe(true);
});
