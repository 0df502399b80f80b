import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { direct } from '../../settings/route.ts';
import { bearer } from '../credential.ts';
import { curlOf, shellQuoted, withKeyFromShell } from './curl.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

/** The arguments that bash parses from each of some command lines, in one process: starting one takes long on a busy machine. */
function wordsOf(lines: readonly string[]): string[][] {
  const script = ['words() { printf \'%s\\0\' $# "$@"; }', ...lines.map((line) => `words ${line}`)].join(
    '\n',
  );
  const printed = execFileSync('bash', ['-s'], {
    input: script,
    env: { ...process.env, TARGET_API_KEY: KEY },
  })
    .toString()
    .split('\0');
  return lines.map(() => printed.splice(0, Number(printed.shift())));
}

const words = (line: string): string[] => wordsOf([line])[0]!;

describe('curlOf', () => {
  it('sends the same request from a shell, byte for byte, without the key in it', () => {
    const texts = fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary-ascii' }));
    const bodies = fc.sample(texts, 100).map(([name, email]) => Buffer.from(JSON.stringify({ name, email })));
    const fields = [
      ['content-type', 'application/json'],
      ['Accept', '*/*'],
    ] as const;
    const lines = bodies.map((body) => {
      const request = { method: 'POST', path: '/v1/customers', credential: bearer(KEY), fields, body };
      return curlOf({ request, route: direct, url: "http://a.example/it's/v1/customers" });
    });
    expect(lines.join('')).not.toContain('4eC39');
    expect(wordsOf(lines)).toEqual(
      bodies.map((body) => [
        'curl',
        '-sS',
        '-i',
        '-X',
        'POST',
        "http://a.example/it's/v1/customers",
        '-H',
        `Authorization: Bearer ${KEY}`,
        '-H',
        'content-type: application/json',
        '-H',
        'Accept: */*',
        // The request has none, and curl would add its own.
        '-H',
        'User-Agent:',
        '--data-binary',
        body.toString(),
      ]),
    );
  });

  it('sends chunks and accepts codings as the request does', () => {
    const fields = [['Accept-Encoding', 'br']] as const;
    const request = {
      method: 'POST',
      path: '/',
      credential: undefined,
      fields,
      body: Buffer.from('{}'),
      chunked: true,
    };
    expect(words(curlOf({ request, route: direct, url: 'http://a.example/' }))).toEqual(
      expect.arrayContaining(['--compressed', 'Accept-Encoding: br', 'Transfer-Encoding: chunked']),
    );
  });

  it.each([
    ['/public/../v2/tokens', true],
    ['/v2/./tokens', true],
    ['/v1/customers/..', true],
    ['/v1/customers?next=/a.b/', false],
  ])('lets curl send %s as it is: %s', (path, isAsItIs) => {
    const request = { method: 'GET', path, credential: undefined, fields: [], body: undefined };
    const line = curlOf({ request, route: direct, url: `http://a.example${path}` });
    expect(words(line).includes('--path-as-is')).toBe(isAsItIs);
  });

  it('sends two requests on one connection, unless one of them does not fit into the command', () => {
    const [first, second] = [bearer(KEY), undefined].map((credential) => ({
      request: { method: 'POST', path: '/', credential, fields: [], body: Buffer.from('{}') },
      route: direct,
      url: 'http://a.example/',
    }));
    const line = curlOf(second!, first);
    expect(words(line).filter((word) => /^(?:curl|-sS|-i|--next|Authorization.*)$/.test(word))).toEqual([
      'curl',
      '-sS',
      '-i',
      `Authorization: Bearer ${KEY}`,
      '--next',
      '-i',
    ]);
    const long = { ...first!, request: { ...first!.request, body: Buffer.alloc(100_000, 'x') } };
    expect(curlOf(second!, long)).toBe(curlOf(second!));
  });

  it.each(['Ada', "É O'Brien\n", 'a "b" [c]'])(
    'has the key in its body from the variable, beside the name %j',
    (name) => {
      const body = (key: string): Buffer => Buffer.from(JSON.stringify({ api_key: key, name }));
      const request = {
        method: 'POST',
        path: '/',
        credential: { ...bearer(KEY), shell: `"Bearer it's"` },
        fields: [['X-API-Key', '[key]']] as const,
        body: body('[key]'),
      };
      const line = withKeyFromShell(curlOf({ request, route: direct, url: 'http://a.example/' }));
      expect(words(line).slice(-1)).toEqual([body(KEY).toString()]);
      expect(words(line)).toContain(`X-API-Key: ${KEY}`);
    },
  );

  it('has a bounded length', () => {
    const body = Buffer.alloc(100_000, 'é');
    const request = { method: 'POST', path: '/', credential: undefined, fields: [], body };
    const line = curlOf({ request, route: direct, url: 'http://a.example/' });
    expect(line.length).toBeLessThan(200);
    expect(line).toContain('replay');
  });
});

describe('an argument', () => {
  it.each(['reports/cases/a.b.json', 'my reports/a.json', "it's/a.json", 'bücher/$(id)/`x`.json', 'a\nb'])(
    'reaches the program as it is: %j',
    (text) => {
      const command = `printf %s ${shellQuoted(text)}`;
      expect(execFileSync('bash', ['-c', command], { encoding: 'utf8' })).toBe(text);
      expect(command).toMatch(/^[\x20-\x7e]*$/);
    },
  );
});
