import { expect, it } from 'vitest';
import { bearer, credentialGiven } from './credential.ts';
import { createRedactor } from './output/redactor.ts';

it('a credential that a caller gives is sent as it is, an empty one too, and hidden', () => {
  const redactor = createRedactor();
  const key = bearer('sk_test_1234567890');
  expect(credentialGiven(undefined, key, redactor)).toBe(key);
  expect(credentialGiven(null, key, redactor)).toBeUndefined();
  expect(credentialGiven('', key, redactor)).toMatchObject({ field: 'Authorization', value: '' });
  expect(credentialGiven('Bearer abcdef123456789', key, redactor)?.value).toBe('Bearer abcdef123456789');
  expect(redactor.redact('abcdef123456789')).toBe('[given credential]');
});
