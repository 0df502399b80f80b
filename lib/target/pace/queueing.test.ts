import { expect, it } from 'vitest';
import { bearer } from '../credential.ts';
import { post } from '../testing.ts';
import { detectQueueing } from './queueing.ts';

const customer = post({ path: '/v1/customers' });
const token = post({ path: '/v2/tokens' });

it('takes a request for queued if its response is late, and another like it was answered much faster', () => {
  const isQueued = detectQueueing(10_000);
  expect(isQueued(token, 700)).toBe(false);
  expect(isQueued(token, 4900)).toBe(false);
  expect(isQueued(token, 5600)).toBe(true);
});

it.each([
  ['to a slow operation', token],
  ['whose wrong key is rejected with a delay', { ...customer, credential: bearer('wrong') }],
])('takes no request %s for queued, however fast others are', (_, request) => {
  const isQueued = detectQueueing(10_000);
  expect(isQueued(customer, 5)).toBe(false);
  expect(isQueued(request, 6000)).toBe(false);
  expect(isQueued(request, 9000)).toBe(false);
});
