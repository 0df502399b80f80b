import { describe, expect, it } from 'vitest';
import { labelled, valueOf } from './headers.ts';
import { readSettings } from './sources.ts';
import type { Sources } from './sources.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const SECRET = 'gw-Zq8r';
const target = { TARGET_BASE_URL: 'https://a.example', TARGET_API_KEY: KEY };
const given = (text: string, sources: Sources = {}) =>
  readSettings({
    ...sources,
    environment: { ...target, TARGET_HEADERS: text, ...sources.environment },
  }).route.headers.map((header) => [header.name, valueOf(header), valueOf(labelled(header))]);

describe('headers given for the target', () => {
  it('are read a line each, with the value of each variable in place of its name', () => {
    const environment = { GATEWAY_TOKEN: SECRET, SESSION: 's1' };
    const dotenv = { SESSION: 'other', TEAM: 'core' };
    const text =
      'X-Env: staging\r\n\n X-Access-Token: $GATEWAY_TOKEN\ncookie: a=$1; s=${SESSION}x\nX-Team:$TEAM';
    expect(given(text, { environment, dotenv })).toEqual([
      ['X-Env', 'staging', 'staging'],
      ['X-Access-Token', SECRET, '[GATEWAY_TOKEN]'],
      ['cookie', 'a=$1; s=s1x', 'a=$1; s=[SESSION]x'],
      ['X-Team', 'core', '[TEAM]'],
    ]);
  });

  it('may hold a part of the URL, which is not a secret', () => {
    const environment = { PUBLIC_HOST: 'a.example' };
    expect(given('X-Forwarded-Host: $PUBLIC_HOST', { environment })).toEqual([
      ['X-Forwarded-Host', 'a.example', 'a.example'],
    ]);
  });

  it('are those of the flag, if there are any', () => {
    expect(given('X-Env: staging', { flags: { header: 'X-A: 1\nX-B: 2' } })).toEqual([
      ['X-A', '1', '1'],
      ['X-B', '2', '2'],
    ]);
  });

  it.each([
    ['X-Env', 'expected NAME: VALUE'],
    ['X-Env:', 'expected NAME: VALUE'],
    ['X Env: a', 'expected NAME: VALUE'],
    [': a', 'expected NAME: VALUE'],
    ['X-Env: Zoë', 'expected NAME: VALUE in printable ASCII'],
    ['X-Env: a\u0000', 'expected NAME: VALUE in printable ASCII'],
    ['X-Env: a\nx-env: b', 'a header is given twice'],
    [`Authorization: Bearer ${SECRET}`, "Authorization can't be given: it carries the key"],
    ['content-type: text/plain', "content-type can't be given: the suite sets it"],
    ['Transfer-Encoding: chunked', 'it frames the request'],
    ['Host: b.example', 'add --connect-to HOST:PORT'],
    ['Proxy-Authorization: $A', 'credentials for a proxy go into its URL'],
    [`X-Access-Token: ${SECRET}`, 'the value of X-Access-Token may be a secret: put it into a variable'],
    ...['apikey', 'X-ApiKey', 'X-Serverless-Authorization', 'X-Vercel-Protection-Bypass'].map(
      (name): [string, string] => [`${name}: ${SECRET}`, `the value of ${name} may be a secret`],
    ),
    [`Cookie: a=${SECRET}`, 'the value of Cookie may be a secret: put it into a variable'],
    ['X-Access-Token: $NOWHERE', 'X-Access-Token: the variable NOWHERE is not set; set it'],
    ['X-Access-Token: $EMPTY', 'X-Access-Token: the variable EMPTY is empty'],
    ['X-Access-Token: $BROKEN', 'X-Access-Token: the variable BROKEN holds a line break'],
    ['X-Access-Token: $TARGET_API_KEY', 'holds the key of the target'],
    [`X-Env: ${KEY}`, 'holds a key; give the key as TARGET_API_KEY only'],
    ['X-Env: $__proto__', 'is not set'],
  ])('%j are rejected', (text, message) => {
    const environment = { EMPTY: '', BROKEN: `${SECRET}\nX-Other: 1` };
    const read = (): unknown => given(text, { environment });
    expect(read).toThrow(`TARGET_HEADERS: `);
    expect(read).toThrow(message);
    expect(read).not.toThrow(SECRET);
  });

  it('need a target', () => {
    expect(() => readSettings({ environment: { TARGET_HEADERS: 'X-Env: a' } })).toThrow(
      'TARGET_BASE_URL is missing: set the URL of the service that TARGET_HEADERS is for',
    );
  });
});
