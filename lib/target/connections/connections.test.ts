import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { direct } from '../../settings/route.ts';
import { listening } from '../../selftest/services.ts';
import { post } from '../target.testing.ts';
import { openConnections } from './connections.ts';

/** Connections to a server that answers nothing before `answer` is called, and everything after it. */
async function opened(maxConnections: number) {
  const held: ServerResponse[] = [];
  let isAnswering = false;
  const { baseUrl } = await listening(
    createServer((_, response) => {
      if (isAnswering) response.end('{}');
      else held.push(response);
    }),
  );
  const connections = openConnections({ baseUrl, route: direct }, maxConnections, 10_000);
  onTestFinished(() => connections.close());
  return {
    connections,
    answer: (): void => {
      isAnswering = true;
      for (const response of held) response.end('{}');
    },
  };
}

it('of few connections, one is reserved while it is dedicated', async () => {
  const { connections, answer } = await opened(8);
  const sendSeveral = async (): Promise<number> => {
    const shared = connections.shared();
    await Promise.all(Array.from({ length: 6 }, () => shared.attempt(post(), 10_000)));
    return shared.connects();
  };
  connections.renew(3);
  answer();
  const counts = [await sendSeveral()];
  await connections.withDedicated(async () => void counts.push(await sendSeveral()));
  expect([...counts, await sendSeveral()]).toEqual([3, 2, 3]);
});

it.each([
  [8, ['begin', 'begin', 'end', 'end']],
  [3, ['begin', 'end', 'begin', 'end']],
  [1, ['begin', 'end', 'begin', 'end']],
])('dedicated connections are used one at a time if few are served: %i of 8', async (served, expected) => {
  const { connections, answer } = await opened(8);
  connections.renew(served);
  answer();
  const events: string[] = [];
  const use = () =>
    connections.withDedicated(async (own) => {
      events.push('begin');
      const attempt = await own.attempt(post(), 10_000);
      events.push('end');
      return { attempt, connects: own.connects() };
    });
  const uses = await Promise.all([use(), use()]);
  expect(events).toEqual(expected);
  expect(uses.map(({ attempt }) => 'reply' in attempt)).toEqual([true, true]);
});

it('connections are few if fewer are served than were opened', async () => {
  const { connections } = await opened(8);
  expect(connections.areFew()).toBe(false);
  connections.renew(3);
  expect(connections.areFew()).toBe(true);
  connections.renew(8);
  expect(connections.areFew()).toBe(false);
});

it('a dedicated connection is replaced by a shared one, and says so, if fewer are served than were open', async () => {
  const { connections, answer } = await opened(8);
  answer();
  const counts = await connections.withDedicated(async (own) => {
    await own.attempt(post(), 10_000);
    const before = own.connects();
    connections.renew(3);
    await own.attempt(post(), 10_000);
    return [before, own.connects(), connections.shared().connects()];
  });
  expect(counts).toEqual([1, 2, 1]);
});
