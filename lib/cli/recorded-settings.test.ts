import { expect, it } from 'vitest';
import type { RunLine } from '../schemas/evidence.ts';
import { secretsOf } from '../settings/route.ts';
import { recordedSettings } from './recorded-settings.ts';

it('recorded settings hold no secret: evidence has labels in place of them, which reports may show', () => {
  const route = {
    headers: [{ name: 'X-Access-Token', pieces: [{ text: '[GATEWAY_TOKEN]', variable: 'GATEWAY_TOKEN' }] }],
    curl: [],
  };
  const line = { startedAt: '2026-03-01T12:00:00.000Z', route } as unknown as RunLine;
  expect(secretsOf(recordedSettings(line, 'evidence.ndjson', 'reports'))).toEqual([]);
});
