import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../schemas/report.ts';
import { cts } from '../selftest/command.ts';
import { fileWith, newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import type { PlainBehaviour } from '../selftest/plain-service.ts';
import { serviceThat } from '../selftest/services.ts';

describe('cts-conformance run --targets', () => {
  it('checks each target, separates reports, keys and headers, ends with the worst exit code, and then no target if one is wrong', async () => {
    const secret = 'gw-4711-Zq8rV0x';
    const headers = { good: new Set(), faulty: new Set() };
    const recording = (of: keyof typeof headers): PlainBehaviour => ({
      instead: (request) => {
        headers[of].add(`${String(request.headers['x-env'])} ${String(request.headers['x-gateway'])}`);
        return false;
      },
    });
    const good = await serviceThat(recording('good'));
    const faulty = await serviceThat({ ...recording('faulty'), echo: (name) => name.toUpperCase() });
    const acme = {
      name: 'acme',
      baseUrl: good.baseUrl,
      apiKeyVariable: 'GOOD_KEY',
      headers: ['X-Gateway: $GATEWAY_TOKEN'],
    };
    const other = { name: 'faulty', baseUrl: faulty.baseUrl, apiKeyVariable: 'FAULTY_KEY' };
    const path = fileWith({ $schema: 'targets.schema.json', targets: [acme, other] });
    const keys = { GOOD_KEY: good.apiKey, FAULTY_KEY: faulty.apiKey, GATEWAY_TOKEN: secret };
    const header = ['--header', 'X-Env: staging'];
    const ended = await cts(['--targets', path, '--seed', '7', '--cases', '60', ...header], keys);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/== acme\n[\s\S]*CONFORMS/);
    expect(ended.stdout).toMatch(/== faulty\n[\s\S]*DOES NOT CONFORM/);
    expect(ended.stdout).toContain(`Open ${ended.out}/faulty/index.html`);
    expect(ended.stdout).toMatch(/\n {2}acme {4}conforms {10}23 of 23 .*\/acme\/index\.html\n/);
    expect(ended.stdout).toMatch(/\n {2}customer\.name\.echoed +pass +fail\n/);
    expect(readFileSync(`${ended.out}/matrix.html`, 'utf8')).toContain(
      '<a href="faulty/index.html">faulty</a>',
    );
    const again = await ctsInProcess(['matrix', `${ended.out}/acme`, `${ended.out}/faulty`]);
    expect(again.stdout).toMatch(/\n {2}faulty {2}does not conform {2}22 of 23 /);
    expect(ended.stdout).toContain(`${ended.out}/matrix.html`);
    expect([good, faulty].every(({ received }) => received.length > 150)).toBe(true);
    for (const key of [good.apiKey, faulty.apiKey, secret]) expect(ended.bytes).not.toContain(key);
    expect([...headers.good, ...headers.faulty]).toEqual([`staging ${secret}`, 'staging undefined']);

    const sent = good.received.length;
    const dry = await cts(['--targets', path, '--dry-run', '--quiet'], keys);
    expect(dry.stdout).toContain('== acme');
    const [seed, ...others] = [...dry.stdout.matchAll(/\(seed (\d+)\)/g)].map(([, digits]) => digits);
    expect(others).toEqual([seed]);
    expect(dry.stdout).not.toContain('side by side');
    const wrong = fileWith([acme, { ...other, profile: '/nowhere' }]);
    const rejected = await ctsInProcess(['--targets', wrong], keys);
    expect(rejected.stderr).toContain('--targets: faulty: --profile: the file does not exist');
    expect(rejected.code).toBe(2);
    expect(good.received).toHaveLength(sent);
  });

  it('removes the reports of earlier runs before it sends anything; interrupted, as by Ctrl-C, it ends each run with its report, and begins no other', async () => {
    let interrupt = (): void => {};
    let atFirst: string[] | undefined;
    const fallsSilent = (_: unknown, __: unknown, count: number): boolean => {
      atFirst ??= earlier.filter(isEarlier);
      if (count === 30) interrupt();
      return count >= 30;
    };
    const service = await serviceThat({ instead: fallsSilent });
    const names = Array.from({ length: availableParallelism() + 1 }, (_, at) => `target-${at}`);
    const targets = names.map((name) => ({ name, baseUrl: service.baseUrl, apiKeyVariable: 'A_KEY' }));
    const out = newFolder();
    const beginning = { schemaVersion: 1, suite: {} };
    const isEarlier = (name: string): boolean =>
      existsSync(join(out, name)) && readFileSync(join(out, name), 'utf8') === 'conforms';
    const earlier = ['matrix.html', ...names.map((name) => `${name}/badge.json`)];
    for (const name of names) {
      mkdirSync(join(out, name));
      writeFileSync(join(out, name, 'conformance.json'), JSON.stringify(beginning, null, 2));
    }
    for (const name of earlier) writeFileSync(join(out, name), 'conforms');
    const environment = { A_KEY: service.apiKey, CTS_OUT: out };
    const ended = await cts(['--targets', fileWith(targets)], environment, (_, signal) => {
      interrupt = () => signal('SIGINT');
    });
    const reports = names.flatMap((name) => {
      const path = join(out, name, 'conformance.json');
      return existsSync(path) ? [JSON.parse(readFileSync(path, 'utf8')) as Report] : [];
    });
    expect(atFirst).toEqual([]);
    expect(reports.some(({ run }) => run.stopped === 'the run was interrupted')).toBe(true);
    expect(reports.some(({ run }) => run.unfinished)).toBe(false);
    expect(ended.stdout).toContain(`== ${names.at(-1)}\nnot checked: the run was interrupted\n`);
    expect(ended.code).toBe(3);
  });

  it('removes nothing before the whole command is checked', async () => {
    const out = newFolder();
    mkdirSync(join(out, 'a'));
    writeFileSync(join(out, 'a/badge.json'), 'earlier');
    const path = fileWith([{ name: 'a', baseUrl: 'http://127.0.0.1:9', apiKeyVariable: 'A_KEY' }]);
    const environment = { A_KEY: 'sk_test_0123456789', CTS_OUT: out };
    for (const wrong of [
      ['--only', 'customer.nmae.*'],
      ['--cases-from', join(out, 'a/cases')],
      ['--suite', out],
      ['--suite-counts'],
    ]) {
      const { code } = await ctsInProcess(['--targets', path, ...wrong], environment);
      expect([wrong, code]).toEqual([wrong, 2]);
    }
    expect(readFileSync(join(out, 'a/badge.json'), 'utf8')).toBe('earlier');
    const { stderr } = await ctsInProcess(['--targets', path], { ...environment, A_KEY: '' });
    expect(stderr).toContain('a: A_KEY is empty');
  });

  const target = { name: 'a', baseUrl: 'http://127.0.0.1:9', apiKeyVariable: 'A_KEY' };
  it.each([
    ['no list', {}, 'file.json: expected a list'],
    ['an empty list', [], 'file.json: expected a list'],
    ['two of one name', [target, target], 'a different name for each target'],
    ['a key', [{ ...target, apiKeyVariable: 'sk_test_0123456789ab' }], 'the file holds a key'],
    ['a key as a name', [{ ...target, name: 'sk_test_0123456789ab' }], 'the file holds a key'],
    ['a folder outside', [{ ...target, name: '../a' }], '/0/name: expected letters'],
    ['no URL', [target, { ...target, name: 'b', baseUrl: 1 }], 'file.json: b: baseUrl: expected an absolute'],
    ['a missing variable', [{ name: 'a', baseUrl: 'x' }], 'a: apiKeyVariable: expected the name'],
    ['another member', [{ ...target, id: 'x' }], 'a: unknown member id; expected name, baseUrl'],
    ['a secret as a member', [{ ...target, Zq8rV0x: 'x' }], 'a: unknown member; expected name, baseUrl'],
    [
      'a misspelt member',
      { $schema: 'x', targets: [{ name: 'a', baseURL: 'http://127.0.0.1:9', apiKeyVariable: 'A_KEY' }] },
      'a: unknown member baseURL; expected name, baseUrl',
    ],
    ['a text', ['a'], '/0: expected an object with name, baseUrl, apiKeyVariable'],
    ['a key that is not set', [target], 'a: its key is missing: set A_KEY'],
    ['no JSON', '[', 'the file is not JSON; expected a list of targets'],
    [
      'a comma too few',
      '[{\n  "name": "a" "b"',
      'is not JSON (line 2, column 15); expected a list of targets',
    ],
  ])('rejects %s, without showing it', async (_, targets, complaint) => {
    const { stderr, code, bytes } = await ctsInProcess(['--targets', fileWith(targets)]);
    expect(stderr).toContain(complaint);
    expect(bytes).not.toContain('sk_test_0123456789');
    expect(code).toBe(2);
  });

  it('rejects a variable that each target without a value of its own would get', async () => {
    const environment = { A_KEY: 'sk_test_x', CTS_BASELINE: 'baseline.json' };
    const { stderr, code } = await ctsInProcess(['--targets', fileWith([target])], environment);
    expect(stderr).toContain('CTS_BASELINE: it applies to one target');
    expect(code).toBe(2);
  });

  it('rejects a flag for one target', async () => {
    const { stderr, code } = await ctsInProcess([
      '--targets',
      fileWith([target]),
      '--base-url',
      'http://127.0.0.1:9',
    ]);
    expect(stderr).toContain('--base-url: it applies to one target');
    expect(code).toBe(2);
  });
});
