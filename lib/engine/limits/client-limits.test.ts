import { describe, expect, it } from 'vitest';
import { bearer } from '../../target/credential.ts';
import type { Exchange } from '../../target/exchange.ts';
import { readReply } from '../../target/reply.ts';
import type { Observation } from '../observation.ts';
import type { LimitWatch, Run } from '../scenario.ts';
import { clientLimitReason, withinClientLimits } from './client-limits.ts';

const limited = (fields: Readonly<Record<string, string>>): ReturnType<typeof readReply> =>
  readReply(429, fields, Buffer.from('{}'), 1000);

it('the reason for a limit names a time budget only where a longer wait would be worth it', () => {
  expect(clientLimitReason(limited({ 'retry-after': '30' }))).toBe(
    'the target stops checking wrong keys after too many of them (--dry-run shows how many a run sends); raise that limit, or --time-budget to 1200, so that the run can wait, or exempt this client',
  );
  for (const fields of [{}, { 'retry-after': '600' }])
    expect(clientLimitReason(limited(fields))).toMatch(/; raise that limit, or exempt this client$/);
});

it('the reason for a failure of a gateway is no limit for sure', () => {
  expect(clientLimitReason(readReply(502, {}, Buffer.from('<h1>Bad Gateway</h1>'), 1000))).toBe(
    'the target answers wrong keys with status 502: if the service is down, run again once it is back; it may also limit wrong keys (--dry-run shows how many a run sends); raise that limit, or exempt this client',
  );
});

describe('a response to an invalid credential that is about the client', () => {
  const credential = bearer('key');
  const observationOf = (value: string, error = 'blocked'): Observation => {
    const reply = readReply(429, {}, Buffer.from(JSON.stringify({ error })), 1000);
    const request = { path: '/v1/customers', credential: { ...credential, value } };
    return { accepted: false, exchange: { request, reply, troubles: [] } } as unknown as Observation;
  };
  const { sendInvalid, isClientRejection } = withinClientLimits(
    { credential, exchanges: [] } as unknown as Run,
    { isLockout: () => false, waitUntilServedAgain: async () => false } as unknown as LimitWatch,
  );
  const receive = async (error: string): Promise<void> => {
    const { exchange } = observationOf('Bearer other', error);
    await sendInvalid(
      error,
      async () => exchange,
      () => undefined,
    );
  };

  it('explains others like it, also earlier ones, but no rejection of the right key', async () => {
    expect(isClientRejection(observationOf('Bearer wrong'))).toBe(false);
    await receive('blocked');
    expect(isClientRejection(observationOf('Bearer wrong'))).toBe(true);
    expect(isClientRejection(observationOf('bearer key'))).toBe(true);
    expect(isClientRejection(observationOf('Bearer wrong', 'forbidden'))).toBe(false);
    expect(isClientRejection(observationOf(credential.value))).toBe(false);
  });

  it('is kept once of each kind, and of few kinds', async () => {
    const kinds = ['banned', 'banned', 'denied', 'limited', 'closed', 'stopped'];
    for (const kind of kinds) await receive(kind);
    const known = kinds.filter((kind) => isClientRejection(observationOf('Bearer other', kind)));
    expect(known).toEqual(kinds.slice(0, -1));
  });

  it('is none that differs from a failure of a gateway, which was over when its request was repeated', async () => {
    const answered = (status: number) => ({
      request: { method: 'POST', path: '/v2/tokens', credential: { ...credential, value: 'Bearer wrong' } },
      reply: readReply(status, {}, Buffer.from(''), 1000),
      troubles: [],
    });
    const target = { send: async () => answered(401), wait: async () => {}, left: 0 };
    const limits = withinClientLimits(
      {
        credential,
        exchanges: [answered(502), answered(401)],
        target,
        settings: { timeBudget: 80 },
      } as unknown as Run,
      { isLockout: () => false, waitUntilServedAgain: async () => false } as unknown as LimitWatch,
    );
    const response = await limits.sendInvalid(
      'rule',
      async () => answered(401) as unknown as Exchange,
      () => undefined,
    );
    expect(response).not.toHaveProperty('rejectsClient');
  });
});
