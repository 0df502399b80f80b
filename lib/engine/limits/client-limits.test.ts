import { expect, it } from 'vitest';
import { readReply } from '../../target/reply.ts';
import { clientLimitReason } from './client-limits.ts';

const limited = (fields: Readonly<Record<string, string>>): ReturnType<typeof readReply> =>
  readReply(429, fields, Buffer.from('{}'), 1000);

it('the reason for a limit names a time budget only where a longer wait would be worth it', () => {
  expect(clientLimitReason(limited({ 'retry-after': '30' }))).toBe(
    'the target stops checking wrong keys after too many of them (--dry-run shows how many a run sends); raise that limit, or --time-budget to 1200, so that the run can wait, or exempt this client',
  );
  for (const fields of [{}, { 'retry-after': '600' }])
    expect(clientLimitReason(limited(fields))).toMatch(/; raise that limit, or exempt this client$/);
});
