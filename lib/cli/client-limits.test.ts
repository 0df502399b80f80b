import { describe, expect, it } from 'vitest';
import { judge } from '../engine/judging/judge.ts';
import { KEY, open } from '../engine/run.testing.ts';
import { serviceThat } from '../selftest/services.ts';
import { customersKeyExact, customersKeyRequired, tokensKeyExact } from '../../suites/authentication.ts';
import { plan } from '../../suites/plan.ts';

describe('a target that closes the connection in answer to invalid credentials', () => {
  const verdictsOf = async (closes: (wrongBefore: number, authorization: string) => boolean) => {
    let wrong = 0;
    const service = await serviceThat({
      instead: ({ headers: { authorization = '' }, socket }) => {
        if (authorization === `Bearer ${KEY}`) return false;
        if (closes(wrong++, authorization)) socket.destroy();
        return socket.destroyed;
      },
      isKey: (authorization) => authorization === `Bearer ${KEY}`,
    });
    const run = open(service, { plan });
    const selected = [customersKeyRequired, customersKeyExact];
    run.start(selected.flatMap(({ over }) => over));
    return Promise.all(selected.map(async (one) => (await judge(run, one)).verdict));
  };

  it('shows nothing about keys once it has answered others', async () => {
    expect(await verdictsOf((before) => before >= 4)).toEqual(['inconclusive', 'inconclusive']);
  });

  it('shows nothing about them where it still answers requests without one', async () => {
    const closes = (before: number, authorization: string): boolean => before >= 6 && authorization !== '';
    expect((await verdictsOf(closes)).at(-1)).toBe('inconclusive');
  });

  it('rejects the keys if it does so from the first', async () => {
    expect(await verdictsOf((_, authorization) => authorization !== '')).toEqual(['pass', 'pass']);
  });
});

describe('an invalid credential that only one operation is tried with', () => {
  it.each([KEY.slice(1), KEY.replaceAll('_', '-'), KEY.replace('sk_', 'pk_')])(
    'is tried with the other one too if it is accepted, and shown beside the same request with the right key: %s',
    async (wrong) => {
      const service = await serviceThat({
        isKey: (authorization) => [KEY, wrong].includes(authorization.replace(/^Bearer /, '')),
      });
      const run = open(service, { plan });
      run.start([...customersKeyExact.over, ...tokensKeyExact.over]);
      const findings = await Promise.all([customersKeyExact, tokensKeyExact].map((one) => judge(run, one)));
      for (const { verdict, broken, counterexample } of findings) {
        expect([verdict, broken]).toEqual(['fail', 1]);
        const [control, judged] = counterexample!.exchanges.map(({ request }) => request);
        const withoutNonce = (body: string) => body.replace(new RegExp(`${run.runId()}\\w+`), '');
        expect(withoutNonce(control!.body)).toBe(withoutNonce(judged!.body));
        expect(control!.headers).toContainEqual(['Authorization', 'Bearer [key]']);
        expect(judged!.headers).not.toContainEqual(['Authorization', 'Bearer [key]']);
      }
    },
  );
});
