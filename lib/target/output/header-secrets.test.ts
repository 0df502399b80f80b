import { describe, expect, it } from 'vitest';
import { withoutHeaderSecrets } from './header-secrets.ts';

const TOKEN = 'q8Zr5xT1mVb7Kp2WnD4s';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

describe('the secrets in headers', () => {
  it.each([
    ['x-auth-token', TOKEN, '[redacted]'],
    ['authorization', `Bearer ${TOKEN}`, 'Bearer [redacted]'],
    ['x-session-id', TOKEN, '[redacted]'],
    ['x-api-key', `"${TOKEN}"`, '[redacted]'],
    ['x-access-token', 'a, onlyLettersHere', 'a, [redacted]'],
    [
      'set-cookie',
      `sid=${TOKEN}; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, lang=en, b="${TOKEN}x"; Secure`,
      'sid=[redacted]; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, lang=en, b="[redacted]"; Secure',
    ],
    ['authentication-info', `nexttoken="${TOKEN}", qop=auth`, 'nexttoken="[redacted]", qop=auth'],
    ['x-result', `ok ${JWT}`, 'ok [redacted]'],
    ['location', `/done?state=1&access_token=${TOKEN}#x`, '/done?state=1&access_token=[redacted]#x'],
    // Redacted before.
    ['x-auth-token', '[token 12]', '[token 12]'],
    ['x-session-id', `[possible token 12], ${TOKEN}`, '[possible token 12], [redacted]'],
    ['location', '/done?access_token=[token 3]&jwt=[token 4]', '/done?access_token=[token 3]&jwt=[token 4]'],
    ['set-cookie', `sid=a.[token 12].${TOKEN}`, 'sid=[redacted]'],
  ])('%s: %s is shown as %s', (name, value, shown) => {
    expect(withoutHeaderSecrets({ [name]: value })).toEqual({ [name]: shown });
  });

  it.each([
    ['access-control-allow-credentials', 'true'],
    ['access-control-allow-headers', 'X-Auth-Token, Authorization'],
    ['www-authenticate', 'Bearer realm="customers", error="invalid_token"'],
    ['etag', `"${TOKEN}"`],
    ['x-request-id', TOKEN],
    ['x-token-expires-in', '3600000'],
    ['location', '/v1/customers/cus_17?page=2'],
  ])('are none in %s: %s', (name, value) => {
    expect(withoutHeaderSecrets({ [name]: value })).toEqual({ [name]: value });
  });

  it('are looked for in linear time', () => {
    // In quadratic time, this takes longer than a test may.
    const long = {
      'set-cookie': 'a=,'.repeat(200_000),
      location: '?a'.repeat(200_000),
      x: 'eyJ-'.repeat(200_000),
    };
    expect(withoutHeaderSecrets(long)).toEqual(long);
  });
});
