import { cpSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { startPlainService } from '../plain-service.ts';
import { allFaults } from '../../reference/faults/faults.ts';
import { startReference } from '../../reference/start.ts';
import type { Report } from '../../schemas/report.ts';
import { execute } from '../command.ts';
import type { ProcessResult } from '../command.ts';
import { newFolder } from '../files.ts';

const { folder, nodes } = inject('packed');
const bin = join(folder, 'node_modules/.bin/cts-conformance');
const SEED = '7';

/** Faults of different categories, and the requirement that must catch each. */
const faults = {
  'id-constant': 'customer.id.new',
  'name-html-escape': 'customer.name.echoed',
  'email-lowercase': 'customer.email.echoed',
  'auth-prefix-only': 'auth.customers.key.exact',
  'token-constant': 'token.credential.distinct',
} as const;

type InstalledRun = ProcessResult & {
  readonly report: Report | undefined;
  readonly files: readonly string[];
};

/** Runs a command in a new folder with only the given files, and reads the reports that it writes there. */
async function runIn(
  file: string,
  args: readonly string[],
  given: Record<string, string> = {},
): Promise<InstalledRun> {
  const cwd = newFolder();
  for (const [name, text] of Object.entries(given)) writeFileSync(join(cwd, name), text);
  const ended = await execute(file, args, { cwd });
  const files = filesIn(join(cwd, 'reports'));
  const report = files.includes('conformance.json')
    ? (JSON.parse(readFileSync(join(cwd, 'reports/conformance.json'), 'utf8')) as Report)
    : undefined;
  return { ...ended, report, files };
}

const verdictsOf = ({ report }: InstalledRun): Record<string, string> =>
  Object.fromEntries(report!.requirements.map(({ id, verdict }) => [id, verdict]));

const filesIn = (path: string): string[] =>
  !existsSync(path)
    ? []
    : readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
        .toSorted();

const checkout = runIn(process.execPath, [
  join(import.meta.dirname, '../../cli/main.ts'),
  'run',
  '--seed',
  SEED,
]);

describe.each(Object.entries(nodes))('on Node %s, the installed package', (version, node) => {
  it('reaches the same verdicts and writes the same reports as the checkout', async () => {
    const here = await runIn(node, [bin, '--seed', SEED]);
    expect(here.stderr).toBe('');
    expect(here.code).toBe(0);
    const there = await checkout;
    expect(verdictsOf(here)).toEqual(verdictsOf(there));
    expect(here.files).toEqual(there.files);
    expect(Object.keys(here.report!)).toEqual(Object.keys(there.report!));
  });

  it.each(Object.entries(faults))('finds the fault %s of a target that .env names', async (name, id) => {
    const fault = allFaults.find((one) => one.name === name)!;
    const { baseUrl, apiKey, stop } = await startReference(0, fault.behaviour());
    const env = `TARGET_BASE_URL=${baseUrl}\nTARGET_API_KEY=${apiKey}\nCTS_SEED=${SEED}\n`;
    const ran = await runIn(node, [bin], { '.env': env });
    await stop();
    expect(verdictsOf(ran)[id]).toBe('fail');
    expect(ran.code).toBe(1);
    expect(ran.files).toContain(`cases/${id}.json`);
  });

  it('runs a custom suite from a folder where nothing is installed', async () => {
    const service = await startPlainService({
      beyond: ({ url }, body) =>
        url === '/api/v1/orders'
          ? { status: 201, body: { id: 'ord_1', item: (body as { item: string }).item } }
          : undefined,
    });
    const suite = readFileSync(join(import.meta.dirname, '../../library/example.suite.ts'), 'utf8');
    const env = `TARGET_BASE_URL=${service.baseUrl}\nTARGET_API_KEY=${service.key}\n`;
    const ran = await runIn(node, [bin, '--suite', '.'], { '.env': env, 'orders.suite.ts': suite });
    await service.stop();
    expect(ran.report!.custom!.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['acme.order.item', 'pass'],
      // This service checks no key for orders.
      ['acme.order.key', 'fail'],
    ]);
    expect([ran.code, ran.report!.verdict]).toEqual([0, 'conforms']);
  });

  it('is run by npx on this Node', async () => {
    const environment = { PATH: [dirname(node), process.env['PATH']].join(delimiter) };
    const { code, stdout } = await execute('npx', ['--no-install', 'cts-conformance', '--version'], {
      cwd: folder,
      environment,
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
    const used = await execute('node', ['--version'], { cwd: folder, environment });
    expect(used.stdout).toBe(`v${version}\n`);
  });
});

describe('the installed package', () => {
  it('exports a library, whose example passes', async () => {
    const { baseUrl, apiKey, stop } = await startReference();
    cpSync(join(import.meta.dirname, '../../library/example.ts'), join(folder, 'example.test.ts'));
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const environment = { TARGET_BASE_URL: baseUrl, TARGET_API_KEY: apiKey };
    const ended = await execute(process.execPath, [vitest, 'run', '--root', folder], {
      cwd: folder,
      environment,
    });
    await stop();
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('3 passed')]);
  });

  it('has every command', async () => {
    const { stdout } = await runIn(process.execPath, [bin, '--help']);
    const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name!);
    expect(names).toContain('run');
    for (const name of names) {
      const { code, stderr } = await runIn(process.execPath, [bin, name, '--help']);
      expect([name, code, stderr]).toEqual([name, 0, '']);
    }
  });

  it('has the certificates of the reference service', async () => {
    const { stdout } = await runIn(process.execPath, [bin, 'serve', '--list-variants']);
    expect(stdout).toContain('https-private-authority');
    const paths = filesIn(join(folder, 'node_modules/cts-conformance')).filter((path) =>
      path.endsWith('.pem'),
    );
    expect(paths).toHaveLength(3);
  });

  it('needs no development dependency, and writes nothing into its own folder', async () => {
    const modules = join(folder, 'node_modules');
    const changes = (): string[] =>
      filesIn(modules).map((path) => `${path} ${statSync(join(modules, path)).mtimeMs}`);
    const before = changes();
    expect(before.some((path) => path.startsWith('typescript/'))).toBe(false);
    await runIn(process.execPath, [bin, '--seed', SEED]);
    expect(changes()).toEqual(before);
  });
});
