import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../selftest/command.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import type { PlainService } from '../selftest/plain-service.ts';
import { newFolder } from '../selftest/files.ts';
import { variablesOf } from '../selftest/services.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');
const guides = ['README.md', 'suites/README.md', 'lib/README.md', 'reports/README.md'].map(textOf).join('\n');

/** The fenced blocks of a language. */
const fenced = (language: string): string[] =>
  [...guides.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);

/** The exit code of each command of the guides, against a service that trims names. */
const ends: Readonly<Record<string, number>> = {
  'npx --no-install cts-conformance init': 0,
  'npx --no-install cts-conformance doctor': 0,
  'npx --no-install cts-conformance run': 1,
  'npx --no-install cts-conformance explain customer.name.echoed': 0,
  'npx --no-install cts-conformance replay customer.name.echoed': 1,
  'npx --no-install cts-conformance run --seed 1234': 1,
  "npx --no-install cts-conformance run --only 'auth.*'": 0,
  'npx --no-install cts-conformance run --cases-from regressions': 1,
  'npx --no-install cts-conformance judge reports': 1,
  'npx --no-install cts-conformance render reports': 0,
  'npx --no-install cts-conformance serve --fault name-html-escape': 0,
  'npx --no-install cts-conformance serve --variant unique-emails': 0,
  'npx --no-install vitest run --project conformance': 1,
  'npx --no-install vitest run --project conformance suites/tokens.test.ts': 0,
  'npx --no-install vitest run --project conformance suites/tokens.test.ts -t token.body': 0,
  'npx --no-install vitest run --project conformance --tags-filter must': 1,
  'npx --no-install cts-conformance diff old/ reports/': 0,
  'npx --no-install cts-conformance diff old/ reports/ --out diff.html': 0,
  'npx --no-install cts-conformance run --targets targets.json': 1,
  'npx --no-install cts-conformance matrix acme/ globex/': 0,
  'npx --no-install cts-conformance matrix acme/ globex/ --out matrix.html': 0,
  'npx --no-install cts-conformance matrix runs/* --out history.html': 0,
  'for k in 1 2 3 4; do npx --no-install cts-conformance run --seed 7 --cases 4000 --shard $k/4 --out shards/$k & done; wait': 0,
  'npx --no-install cts-conformance merge shards/*': 1,
  'cp reports/conformance.json baseline.json': 0,
  'npx --no-install cts-conformance run --baseline baseline.json': 0,
  'npx --no-install cts-conformance run --write-waivers waived.json': 1,
  'npx --no-install cts-conformance run --write-profile staging.json': 1,
  'npx --no-install cts-conformance run --profile staging.json': 1,
};

/** The commands of a block, without comments. */
const commandsIn = (block: string): string[] =>
  block
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '');

/** The command with two shards in place of four, and fewer cases. */
const smaller = (command: string): string =>
  command
    .replace('in 1 2 3 4;', 'in 1 2;')
    .replace('--shard $k/4', '--shard $k/2')
    .replace('--cases 4000', '--cases 60');

/** `.ci/run` runs these as they are; they would run this test again. */
const isOfCi = (command: string): boolean => command.startsWith('npm ');
const blocks = fenced('sh').filter((block) => !commandsIn(block).every(isOfCi));

let service: PlainService;
let bin: string;
/** A folder with the reports of a run, and the other files that the guides mention. */
let prepared: string;

/** Enough to find what the service does wrong. */
const CASES = '60';

/** The words of a line, as a shell passes them on. */
const wordsOf = (line: string, cwd: string): string[] =>
  line
    .match(/'[^']*'|\S+/g)!
    .flatMap((word) =>
      word.startsWith("'") ? word.slice(1, -1) : word.includes('*') ? globSync(word, { cwd }) : word,
    );

/** Runs a line in a shell, where `npx` runs the checkout. Interrupts `serve` once it has started. */
async function runLine(line: string, cwd: string): Promise<{ code: number | null; output: string }> {
  const environment = {
    ...variablesOf(service),
    ACME_KEY: service.apiKey,
    CTS_OUT: join(cwd, 'reports'),
    // Few, as far as a command does not say how many.
    CTS_CASES: CASES,
    // Much, as a machine that is busy takes seconds for a response.
    CTS_TIME_BUDGET: '600',
  };
  // One command that ends by itself and starts no process needs no shell, and takes a fraction of the time.
  const [, simple] = /^npx --no-install cts-conformance ((?!serve|.*--targets|.*;).+)$/.exec(line) ?? [];
  const { code, stdout, stderr } =
    simple === undefined
      ? await execute('/bin/sh', ['-c', `exec ${line}`.replace(/^exec for/, 'for')], {
          cwd,
          environment: { ...environment, PATH: [bin, process.env['PATH']].join(delimiter) },
          onOutput: (output, signal) => {
            if (line.includes(' serve ') && output.includes('TARGET_API_KEY')) signal('SIGINT');
          },
        })
      : await ctsInProcess(wordsOf(simple, cwd), environment, { cwd });
  return { code, output: stdout + stderr };
}

beforeAll(async () => {
  service = await startPlainService({ echo: (name) => name.trim() });
  bin = newFolder();
  writeFileSync(
    join(bin, 'npx'),
    `#!/bin/sh
[ "$1" = --no-install ] && shift
name=$1; shift
case "$name" in
  cts-conformance) exec '${process.execPath}' '${root}/lib/cli/bin.js' "$@" ;;
  vitest) cd '${root}' && exec '${process.execPath}' node_modules/vitest/vitest.mjs "$@" ;;
esac
exit 127
`,
  );
  chmodSync(join(bin, 'npx'), 0o755);
  prepared = newFolder();
  const { code, output } = await runLine('npx --no-install cts-conformance run --seed 3', prepared);
  if (code !== 1) throw new Error(output);
  for (const copy of ['old', 'acme', 'globex', 'runs/1', 'runs/2'])
    cpSync(join(prepared, 'reports'), join(prepared, copy), { recursive: true });
  cpSync(join(prepared, 'reports/cases'), join(prepared, 'regressions'), { recursive: true });
  const target = { name: 'acme', baseUrl: service.baseUrl, apiKeyVariable: 'ACME_KEY' };
  writeFileSync(join(prepared, 'targets.json'), JSON.stringify([target]));
});
afterAll(() => service.stop());

describe('the guides', () => {
  it.each(blocks.map((block) => [commandsIn(block)[0]!, commandsIn(block)] as const))(
    'have commands that work: %s, and those after it',
    async (_, commands) => {
      const cwd = newFolder();
      cpSync(prepared, cwd, { recursive: true });
      for (const command of commands) {
        expect(Object.keys(ends)).toContain(command);
        const { code, output } = await runLine(smaller(command), cwd);
        expect.soft(code, `${command}\n${output.slice(-2000)}`).toBe(ends[command]);
      }
    },
  );

  it('have all the commands that are tested', () => {
    expect(blocks.flatMap(commandsIn).toSorted()).toEqual(Object.keys(ends).toSorted());
  });

  it('have a valid profile and a valid list of targets', async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, 'reports'));
    const profile = fenced('json').find((text) => text.includes('"waivers"'))!;
    writeFileSync(join(cwd, 'acme.json'), profile);
    const plan = await runLine('npx --no-install cts-conformance run --dry-run --profile acme.json', cwd);
    expect([plan.code, plan.output]).toEqual([0, expect.stringContaining('About 155 customers')]);
    const [, target] = /`(\{"name": "acme".*?\})`/.exec(guides)!;
    writeFileSync(join(cwd, 'targets.json'), `[${target!.replace('https://…', service.baseUrl)}]`);
    const each = await runLine(
      'npx --no-install cts-conformance run --targets targets.json --dry-run --quiet',
      cwd,
    );
    expect(each.output).toContain('== acme');
    expect(each.output).not.toContain('acme.json:');
  });

  const scripts = [
    ...new Set(
      [...guides.matchAll(/\bnpm (?:run )?([a-z]+(?::[a-z]+)?)(?=[` ]*(?:&&|--|`|\n|#| {2}))/g)].map(
        ([, name]) => name!,
      ),
    ),
  ];

  it.each(scripts.filter((name) => !['ci', 'install', 'pack'].includes(name)))(
    'name an existing script: npm run %s',
    async (name) => {
      const known = (JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts;
      expect(Object.keys(known)).toContain(name);
      const file = /^node (?:--expose-gc )?(lib\/selftest\/(?:prove|hostile|soak|bench)\/\S+)$/.exec(
        known[name]!,
      )?.[1];
      if (file === undefined) return;
      const help = await execute(process.execPath, [join(root, file), '--help'], { cwd: root });
      expect(help.stdout).toContain(`npm run ${name}`);
    },
  );
});
