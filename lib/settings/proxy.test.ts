import { describe, expect, it } from 'vitest';
import { chooseProxy } from './proxy.ts';

type Variables = Record<string, string>;
const choice = (baseUrl: string, environment: Variables, dotenv: Variables = {}, unwanted?: string) =>
  chooseProxy(baseUrl, unwanted, [environment, dotenv]);
const SECRET = 'p%40ss-Zq8rV';

/** The proxy to a target; undefined: none. */
const originFor = (baseUrl: string, environment: Variables, dotenv?: Variables): string | undefined => {
  const chosen = choice(baseUrl, environment, dotenv);
  if (typeof chosen === 'string') throw new Error(chosen);
  return chosen.proxy?.origin;
};

describe('the proxy to a target', () => {
  it.each<[baseUrl: string, environment: Variables, dotenv: Variables, origin: string | undefined]>([
    ['https://a.example', {}, {}, undefined],
    ['https://a.example', { HTTPS_PROXY: 'http://p:1' }, {}, 'http://p:1'],
    ['https://a.example', { HTTPS_PROXY: 'http://p:1', https_proxy: 'http://q:2' }, {}, 'http://q:2'],
    ['https://a.example', { HTTPS_PROXY: 'http://p:1' }, { https_proxy: 'http://q:2' }, 'http://p:1'],
    ['https://a.example', {}, { HTTPS_PROXY: 'http://q:2' }, 'http://q:2'],
    ['https://a.example', { HTTPS_PROXY: 'http://p:1', https_proxy: '' }, {}, 'http://p:1'],
    ['https://a.example', { https_proxy: ' ' }, { https_proxy: 'http://q:2' }, undefined],
    ['https://a.example', { https_proxy: 'p', no_proxy: '', NO_PROXY: 'a.example' }, {}, undefined],
    ['https://a.example', { http_proxy: 'http://p:1' }, {}, undefined],
    ['https://a.example', { ALL_PROXY: 'p' }, {}, 'http://p:1080'],
    ['https://a.example', { https_proxy: 'https://p/x' }, {}, 'https://p:443'],
    ['https://a.example', { https_proxy: 'http://p:80' }, {}, 'http://p:80'],
    ['https://a.example', { https_proxy: 'http://[::1]:3128' }, {}, 'http://[::1]:3128'],
    ['http://a.example', { http_proxy: 'p:3128' }, {}, 'http://p:3128'],
    ['http://a.example', { all_proxy: 'socks5h://p' }, {}, 'socks5h://p:1080'],
    ['https://a.example', { all_proxy: 'socks4://[::1]:9050' }, {}, 'socks4://[::1]:9050'],
    ['http://a.example', { HTTP_PROXY: 'http://p:1' }, {}, undefined],
    ['http://a.example', { HTTPS_PROXY: 'http://p:1' }, {}, undefined],
    // Loopback is not an exception, as in curl.
    ['https://127.0.0.1', { https_proxy: 'http://p:1' }, {}, 'http://p:1'],
  ])('of %s with %j and %j is %s', (baseUrl, environment, dotenv, origin) => {
    expect(originFor(baseUrl, environment, dotenv)).toBe(origin);
  });

  it.each<[baseUrl: string, list: string, isExcepted: boolean]>([
    ['https://a.example', '*', true],
    ['https://a.example', 'b.example,*', false],
    ['https://a.example', 'A.Example', true],
    ['https://x.a.example', 'a.example', true],
    ['https://x.a.example', '.a.example', true],
    ['https://a.example', '.a.example', true],
    ['https://xa.example', 'a.example', false],
    ['https://a.example', 'b.example, a.example', true],
    ['https://a.example', 'b.example a.example', true],
    ['https://a.example', 'a.example:443', true],
    ['https://a.example:8443', 'a.example:443', false],
    ['https://a.example:8443', 'a.example', true],
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.0.0.0/99', false],
    ['https://10.1.2.3', '3', false],
    ['https://[::1]', '::1', true],
    ['https://[::1]:8443', '[::1]:8443', true],
    ['https://[fd00::7]', 'fd00::/8', true],
    ['https://a.example', ',', false],
  ])('of %s is left out with NO_PROXY=%s: %s', (baseUrl, list, isExcepted) => {
    const origin = originFor(baseUrl, { https_proxy: 'http://p:1', NO_PROXY: list });
    expect(origin).toBe(isExcepted ? undefined : 'http://p:1');
  });

  it('has its credentials apart', () => {
    expect(choice('https://a.example', { HTTPS_PROXY: `http://ada:${SECRET}@p:1` })).toEqual({
      proxy: {
        origin: 'http://p:1',
        variable: 'HTTPS_PROXY',
        credentials: { user: 'ada', password: 'p@ss-Zq8rV' },
      },
      reason: 'through the proxy http://p:1 (HTTPS_PROXY)',
    });
  });

  it('has a reason if it is not used', () => {
    const environment = { https_proxy: 'http://p:1', no_proxy: 'a.example' };
    expect(choice('https://a.example', environment)).toEqual({
      reason: 'not through the proxy in https_proxy, because of no_proxy',
    });
    expect(choice('https://b.example', environment, {}, '--no-proxy')).toEqual({
      reason: 'not through the proxy in https_proxy, because of --no-proxy',
    });
    expect(choice('http://a.example', { HTTP_PROXY: 'http://p:1' })).toMatchObject({ isInDoubt: true });
  });

  it.each([
    'http://',
    'http://:3128',
    'ftp://p',
    'http://p:99999',
    `socks6://ada:${SECRET}@p`,
    `http://a:%zz${SECRET}@p`,
  ])('is rejected as %s, without showing it', (url) => {
    const choose = (): unknown => choice('https://a.example', { HTTPS_PROXY: url });
    expect(choose).toThrow(/^HTTPS_PROXY: (?:expected the URL|its user name)/);
    expect(choose).not.toThrow('Zq8rV');
  });
});
