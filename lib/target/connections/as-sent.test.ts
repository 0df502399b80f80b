import { describe, expect, it } from 'vitest';
import { direct } from '../../settings/route.ts';
import { asSent, framingFields } from './as-sent.ts';
import { post } from '../target.testing.ts';

const request = post({
  fields: [
    ['Accept', 'a'],
    ['X-Env', 'test'],
    ['Proxy-Authorization', 'Bearer x'],
  ],
});
const proxy = { origin: 'http://p:1', variable: 'http_proxy', credentials: { user: 'x', password: 'y' } };
const headers = [{ name: 'x-env', pieces: [{ text: 'staging' }] }];

describe('a request as it is sent', () => {
  it('has the headers given for the target in place of its own', () => {
    const endpoint = { baseUrl: 'http://a.example/b', route: { ...direct, proxy, headers } };
    const { path, fields } = asSent(request, endpoint);
    expect(path).toBe('/b/v1/customers');
    expect(fields).toEqual([
      ['Accept', 'a'],
      ['Proxy-Authorization', 'Bearer x'],
      ['x-env', 'staging'],
    ]);
  });

  it.each([
    ['the target', { ...direct, proxy }],
    ['a proxy that forwards it', { ...direct, proxy, isForwarded: true as const }],
  ])('has a target in absolute form with what precedes its host, for %s', (_, route) => {
    const { path } = asSent(post({ absolute: 'user@' }), { baseUrl: 'http://a.example/b', route });
    expect(path).toBe('http://user@a.example/b/v1/customers');
  });

  it('has the fields of another framing in HTTP/1.1 alone', () => {
    const framed = post({ chunked: true, close: true });
    expect(framingFields(framed, { http: '1.1' })).toEqual([
      ['Connection', 'close'],
      ['Transfer-Encoding', 'chunked'],
    ]);
    expect(framingFields(framed, { http: '2' })).toEqual([]);
  });

  it('names the whole URL for a proxy that forwards it, and has the credentials of the proxy only', () => {
    const route = { ...direct, proxy, isForwarded: true } as const;
    const { path, fields } = asSent(request, { baseUrl: 'http://a.example/b', route });
    expect(path).toBe('http://a.example/b/v1/customers');
    expect(fields).toEqual([
      ['Accept', 'a'],
      ['X-Env', 'test'],
      ['Proxy-Authorization', 'Basic eDp5'],
    ]);
  });
});
