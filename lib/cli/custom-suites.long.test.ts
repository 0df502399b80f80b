import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../schemas/report.ts';
import { cts } from '../selftest/command.ts';
import { newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import type { CommandResult } from '../selftest/command.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import type { PlainBehaviour, PlainService } from '../selftest/plain-service.ts';
import { variablesOf, failed, serviceThat, words } from '../selftest/services.ts';

const example = join(import.meta.dirname, '../library/example.suite.ts');

/** A folder with suites, outside of the checkout: nothing is installed there. */
function folderOf(suites: Readonly<Record<string, string>>): string {
  const folder = newFolder();
  for (const [name, text] of Object.entries(suites)) writeFileSync(join(folder, name), text);
  return folder;
}

function withExample(): string {
  const folder = folderOf({});
  cpSync(example, join(folder, 'orders.suite.ts'));
  return folder;
}

/** A service with an endpoint beyond the interface. */
const orders = (echo: (item: string) => string): PlainBehaviour => ({
  beyond: ({ url, headers }, body) => {
    if (url !== '/api/v1/orders') return undefined;
    if (headers.authorization === undefined) return { status: 401, body: {} };
    const { item } = body as { item: string };
    return { status: 201, body: { id: 'ord_1', item: echo(item) } };
  },
});

const same = (item: string): string => item;
/** The suites of the interface are only to go before. */
const few = ['--cases', '60'];
const verdictsOf = ({ custom }: Report): Record<string, string> =>
  Object.fromEntries(custom!.map(({ id, verdict }) => [id, verdict]));

/** The beginning of a suite in JavaScript: a scenario of GET requests, all of them accepted. */
const suiteOf = (
  cases: string,
): string => `import { requirement, scenario, sendRequest } from 'cts-conformance';
  import fc from 'fast-check';
  let sent = 0;
  const over = [scenario({ name: import.meta.filename, shrinking: fc.constant(1), ${cases},
    send: sendRequest(() => ({ method: 'GET', path: '/x?' + ++sent }), () => true) })];
  const one = (id, check) => requirement({ id, section: '1', statement: 'x', over, check });`;

describe('a custom suite', () => {
  it('runs after those of the interface, is in the same reports, and compensates for no failure', async () => {
    const service = await serviceThat({ ...orders(same), echo: (name) => name.toUpperCase() });
    const ended = await cts(['--suite', withExample(), '--suite-counts', ...few], variablesOf(service));
    const { code, report, stdout } = ended;
    expect(report!.custom).toMatchObject([
      { id: 'acme.order.item', file: 'orders.suite.ts', verdict: 'pass', cases: 30, accepted: 30 },
      { id: 'acme.order.key', verdict: 'pass', cases: 2, accepted: 0 },
    ]);
    expect(report!.requirements.some(({ id }) => id.startsWith('acme.'))).toBe(false);
    expect(report!.run.requests).toBeGreaterThanOrEqual(service.received.length);
    expect(stdout).toContain('  custom       2 pass\n');
    expect(failed(ended)).toEqual(['customer.name.echoed']);
    expect(code).toBe(1);
  });

  it('may use scenarios that it does not judge, export a requirement twice, and need a profile', async () => {
    const text = `import { requirement, scenario, sendRequest } from 'cts-conformance';
      import fc from 'fast-check';
      const get = (name, more) => scenario({ name, shrinking: fc.constant(1),
        cases: () => [{ category: 'any', arbitrary: fc.constant(1) }],
        send: sendRequest(() => ({ method: 'GET', path: '/' + name }), () => true), ...more });
      const first = get('first');
      const second = get('second', { uses: [first] });
      const one = (id, more) => requirement({ id, section: '1', statement: 'x', over: [second], check: () => undefined, ...more });
      export const pass = one('a.pass');
      export const life = one('a.life', { needs: ['token.presentation'] });
      export const all = [pass, life];`;
    const plain = "import { test } from 'vitest'; test('no id to select', () => {});";
    const service = await serviceThat({ beyond: () => undefined });
    const suite = folderOf({ 'a.suite.js': text + plain });
    const { report } = await cts(['--suite', suite, '--only', 'a.*'], variablesOf(service));
    expect(report!.custom).toMatchObject([
      { id: 'a.pass', verdict: 'pass', cases: 1 },
      { id: 'a.life', verdict: 'untested', reason: expect.stringContaining('not declared') as string },
    ]);
    const paths = service.received.map((line) => line.split(' ')[1]);
    expect(paths.slice(-2)).toEqual(['/api/first', '/api/second']);
    const none = await cts(['--suite', suite, '--suite-counts', '--only', 'http.date'], variablesOf(service));
    expect([none.report!.custom, none.code]).toEqual([[], 0]);
  });

  describe('that fails', () => {
    let service: PlainService;
    let ended: CommandResult;
    let counting: CommandResult;
    beforeAll(async () => {
      service = await startPlainService(orders((item) => item.slice(0, 5)));
      const suites = ['--suite', withExample(), '--report', 'ctrf', ...few];
      [ended, counting] = await Promise.all([
        cts(suites, variablesOf(service)),
        cts([...suites, '--suite-counts'], variablesOf(service)),
      ]);
      await service.stop();
    });

    it('is shown with its minimal input, and does not affect the verdict', () => {
      const { code, report, stdout } = ended;
      expect([code, report!.verdict]).toEqual([0, 'conforms']);
      const { counterexample } = report!.custom!.find(({ id }) => id === 'acme.order.item')!;
      expect((counterexample!.input as { item: string }).item).toHaveLength(6);
      expect(counterexample!.reproduced).toBe('3/3');
      expect(stdout).toContain('acme.order.item (orders.suite.ts): item equals the submitted item.');
      expect(JSON.stringify(report)).not.toContain(service.apiKey);
    });

    it('counts for the exit code with --suite-counts, but not for the verdict', () => {
      expect([counting.code, counting.report!.verdict]).toEqual([1, 'conforms']);
    });

    it('is in every report', () => {
      const text = ({ out }: CommandResult, name: string): string => readFileSync(join(out, name), 'utf8');
      for (const run of [ended, counting]) {
        const page = words(text(run, 'index.html'));
        expect(page).toContain('<h2 id="custom"> Custom suites');
        expect(page).toContain('<div class="body" id="acme.order.item">');
        expect(page.slice(page.indexOf('id="custom"'))).not.toContain('cts-conformance replay');
        expect(text(run, 'summary.md')).toMatch(/- `acme\.order\.item` fail: item equals/);
        expect(text(run, 'junit.xml')).toMatch(/<testsuite id="\d" [^>]*name="cts-conformance custom"/);
      }
      expect(text(ended, 'junit.xml')).toMatch(/acme\.order\.item[^>]*>\s*<skipped message="expected /);
      expect(text(ended, 'junit.xml')).toContain('[fail] acme.order.item');
      expect(text(counting, 'junit.xml')).toMatch(/acme\.order\.item[^>]*>\s*<failure message="expected /);
      expect(text(ended, 'ctrf.json')).toMatch(/"testId": "acme.order.item",[^}]*"status": "skipped"/);
    });
  });

  it("that can't run is inconclusive with the reason, also for the exit code with --suite-counts, and affects nothing else", async () => {
    const once = suiteOf('cases: () => [{ category: "x", arbitrary: fc.constant(1) }]');
    const folder = folderOf({
      'b.suite.mjs': `${once} import { test } from 'vitest'; export const w = one('acme.w', () => undefined);
        test('plain', () => { throw new Error('no'); });`,
      'd.suite.mjs': `${once} export const x = one('acme.x', () => { throw new TypeError('oops'); });
        export const y = one('acme.y', () => undefined);`,
      'f.suite.mjs': `${once} export const late = one('acme.late', async () => { throw new Error('later'); });
        setTimeout(() => { throw new Error('much later'); }, 1);`,
      'e.test.mjs': 'throw new Error("this is no suite")',
    });
    cpSync(example, join(folder, 'orders.suite.ts'));
    const ended = await cts(['--suite', folder, '--suite-counts', ...few]);
    const reasons = Object.fromEntries(ended.report!.custom!.map(({ id, reason }) => [id, reason ?? 'none']));
    expect(reasons).toEqual({
      'acme.w': 'none',
      plain: expect.stringContaining('it is a plain test') as string,
      'acme.x': 'the custom suite threw: TypeError: oops',
      'acme.y': 'none',
      'acme.late': expect.stringContaining('check must return undefined or') as string,
      // The embedded service has no orders: nothing is accepted, so nothing is tested.
      'acme.order.item': 'the target accepted no request that could show it',
      'acme.order.key': 'none',
    });
    expect(verdictsOf(ended.report!)).toMatchObject({
      'acme.order.item': 'untested',
      'acme.order.key': 'pass',
    });
    expect(ended.stdout).toContain('; with --suite-counts the exit code is 3');
    expect(ended.stderr).toMatch(
      /^cts-conformance: f\.suite\.mjs \(line \d\) threw an error that no test waited for$/m,
    );
    expect([ended.code, ended.report!.verdict]).toEqual([3, 'conforms']);
  });

  it("that can't be used is wrong usage, with the reason for each file, and nothing is sent", async () => {
    const same = suiteOf('cases: () => []').replace('import.meta.filename', '"x"');
    const once = suiteOf('cases: () => [{ category: "x", arbitrary: fc.constant(1) }]');
    const folder = folderOf({
      'a.suite.mjs': 'import "./nowhere.js";',
      'b.suite.mjs': 'import { test } from "vitest"; test("plain", () => { throw new Error("no"); });',
      'c.suite.mjs': `${once} export const own = one('customer.id.new', () => undefined);`,
      'd.suite.mjs': `${once} export const x = one('acme.x', () => undefined);`,
      'e.suite.mjs': '\n\nexport const = 1;',
      'f.suite.ts': '\nexport const a: = 1;',
      'g.suite.cjs': 'import "nothing";',
      'h.suite.mjs': String.raw`import { inject } from 'vitest';
        throw new Error('\u001B[2J\n::error::' + inject('targetSettings').apiKey + process.env.GATEWAY_TOKEN);`,
      'i.suite.ts': "import { helper } from './helper.ts'; export default helper;",
      'helper.ts': '\n\nexport const helper: = 1;',
      'j.suite.mjs': 'process.exit(0)',
      'k.suite.mjs': '',
      'l.suite.mjs': 'throw null;',
      'n.suite.mjs': `${same}
        export const a = one('acme.n', () => undefined);`,
      'o.suite.mjs': `${same}
        export const a = one('acme.o', () => undefined);`,
      'm.suite.mjs': 'export const a = { id: "acme.a", section: "1", over: [], check() {} };',
    });
    const service = await serviceThat();
    const ended = await cts(['--suite', folder, '--report', 'har'], {
      ...variablesOf(service),
      TARGET_HEADERS: 'X-Access-Token: $GATEWAY_TOKEN',
      GATEWAY_TOKEN: 'gwtok_9f8e7d6c5b',
    });
    expect(ended.code).toBe(2);
    expect(service.received).toEqual([]);
    const [title, ...lines] = ended.stderr
      .slice(ended.stderr.indexOf('cts-conformance: '))
      .trimEnd()
      .split('\n');
    expect(title).toBe("cts-conformance: --suite: nothing was sent, because of files that can't be used:");
    const expected = [
      /^  a\.suite\.mjs: .*nowhere\.js/,
      /^  b\.suite\.mjs: it exports no requirement; plain Vitest tests do not count$/,
      /^  c\.suite\.mjs: the id customer\.id\.new is already used/,
      /^  e\.suite\.mjs \(line 3\): SyntaxError: /,
      /^  f\.suite\.ts \(line 2\): SyntaxError/,
      /^  g\.suite\.cjs.*SyntaxError: .*\.suite\.mts or \.suite\.mjs/,
      /^  h\.suite\.mjs \(line 2\): Error: ⟨ESC⟩\[2J⟨LF⟩::error::\[key\]\[GATEWAY_TOKEN\]$/,
      /^  i\.suite\.ts, in helper\.ts \(line 3\): SyntaxError/,
      /^  j\.suite\.mjs \(line 1\): Error: process\.exit/,
      /^  k\.suite\.mjs: it exports no requirement/,
      /^  l\.suite\.mjs: null$/,
      /^  m\.suite\.mjs: the statement of acme\.a: expected a text that is not empty$/,
      /^  o\.suite\.mjs: the scenario "[^"]+": another scenario has this name; give it one of its own$/,
    ];
    expect(lines).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(lines[index]).toMatch(pattern);
    expect(ended.report).toBeUndefined();
    expect(ended.bytes).not.toContain(service.apiKey);
  });

  it('may be all that --only selects, of the plan too, which only has the interface', async () => {
    const args = ['--suite', withExample(), '--only', 'acme.order.item', '--dry-run'];
    const { code, stdout, stderr } = await ctsInProcess(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/in all, about +0 +0 +0 +0\n/);
  });

  it('may send more than is recorded in full, of what the budget has left, and is judged by all of it', async () => {
    const folder = folderOf({
      'many.suite.mjs': `${suiteOf('cases: () => Array.from({ length: 5000 }, () => ({ category: "x", arbitrary: fc.constant(1) }))')}
        export const late = one('acme.late', ({ exchange }) => Number(exchange.request.path.slice(3)) === 1650 ? { expected: 'no', actual: 'yes' } : undefined);
        export const many = one('acme.many', () => undefined);`,
    });
    const { code, report } = await cts(['--suite', folder, '--max-requests', '2100', '--seed', '1', ...few]);
    expect(report!.run.requests).toBe(2100);
    expect(report!.custom).toMatchObject([
      { id: 'acme.late', verdict: 'fail', broken: 1 },
      { id: 'acme.many', reason: expect.stringMatching(/^the budget of \d+ requests was spent$/) as string },
    ]);
    expect([code, report!.verdict]).toEqual([0, 'conforms']);
  });
});
