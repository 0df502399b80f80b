import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { startPlainService } from '../plain-service.ts';
import { allFaults } from '../../reference/faults/faults.ts';
import { startReference } from '../../reference/start.ts';
import { execute, filesIn, withReports } from '../command.ts';
import type { CommandResult } from '../command.ts';
import { newFolder } from '../files.ts';

const { folder, nodes } = inject('packed');
const bin = join(folder, 'node_modules/.bin/cts-conformance');
const SEED = '7';

/** Faults of different groups, and the requirement that must catch each. */
const faults = {
  'id-constant': 'customer.id.new',
  'name-html-escape': 'customer.name.echoed',
  'email-lowercase': 'customer.email.echoed',
  'auth-prefix-only': 'auth.customers.key.exact',
  'token-constant': 'token.credential.distinct',
} as const;

/** Runs a command in a new folder with only the given files, and reads the reports that it writes there. */
async function runIn(
  file: string,
  args: readonly string[],
  given: Record<string, string> = {},
): Promise<CommandResult> {
  const cwd = newFolder();
  for (const [name, text] of Object.entries(given)) writeFileSync(join(cwd, name), text);
  return withReports(await execute(file, args, { cwd }), join(cwd, 'reports'));
}

const verdictsOf = ({ report }: CommandResult): Record<string, string> =>
  Object.fromEntries(report!.requirements.map(({ id, verdict }) => [id, verdict]));

/** The names of its reports. */
const reportsOf = ({ out }: CommandResult): string[] =>
  filesIn(out)
    .map((path) => relative(out, path))
    .toSorted();

const checkout = runIn(process.execPath, [
  join(import.meta.dirname, '../../cli/bin.js'),
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
    expect(reportsOf(here)).toEqual(reportsOf(there));
    expect(Object.keys(here.report!)).toEqual(Object.keys(there.report!));
  });

  it.each(Object.entries(faults))('finds the fault %s of a target that .env names', async (name, id) => {
    const fault = allFaults.find((one) => one.name === name)!;
    const { baseUrl, apiKey, stop } = await startReference(fault.behaviour());
    const env = `TARGET_BASE_URL=${baseUrl}\nTARGET_API_KEY=${apiKey}\nCTS_SEED=${SEED}\n`;
    const ran = await runIn(node, [bin], { '.env': env });
    await stop();
    expect(verdictsOf(ran)[id]).toBe('fail');
    expect(ran.code).toBe(1);
    expect(reportsOf(ran)).toContain(`cases/${id}.json`);
  });

  it('runs a custom suite from a folder where nothing is installed', async () => {
    const service = await startPlainService({
      beyond: ({ url }, body) =>
        url === '/api/v1/orders'
          ? { status: 201, body: { id: 'ord_1', item: (body as { item: string }).item } }
          : undefined,
    });
    const suite = readFileSync(join(import.meta.dirname, '../../library/example.suite.ts'), 'utf8');
    const env = `TARGET_BASE_URL=${service.baseUrl}\nTARGET_API_KEY=${service.apiKey}\n`;
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
    const changes = (): string[] => filesIn(modules).map((path) => `${path} ${statSync(path).mtimeMs}`);
    const before = changes();
    expect(before.some((path) => path.startsWith(join(modules, 'typescript/')))).toBe(false);
    await runIn(process.execPath, [bin, '--seed', SEED]);
    expect(changes()).toEqual(before);
  });
});
