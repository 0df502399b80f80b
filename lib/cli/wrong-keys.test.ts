import { describe, expect, it } from 'vitest';
import { judge } from '../engine/judging/judge.ts';
import { KEY, open } from '../engine/run.testing.ts';
import { serviceThat } from '../selftest/services.ts';
import { customersKeyExact, tokensKeyExact } from '../../suites/authentication.ts';
import { plan } from '../../suites/plan.ts';

describe('a wrong key that only one operation is tried with', () => {
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
