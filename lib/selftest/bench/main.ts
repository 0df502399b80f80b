import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFlags } from '../../cli/flags.ts';
import { script, wholeNumber } from '../../cli/script.ts';
import { sendBarely } from './bare-client.ts';
import { builtCommand } from '../package/built.ts';
import { conform, emptyVitest } from './commands.ts';
import type { Left } from './commands.ts';
import { startService } from './service.ts';
import type { Service } from './service.ts';
import { shrinkAlone, shrinkTogether } from './shrinking.ts';

const help = `npm run bench: measures what a run costs, side by side with the least that it could

Usage: npm run bench -- [flags]

  --rounds N  times that each pair is measured; the median counts; default: 5
  --long      100,000 cases too

Prints ratios, of the built package, and writes reports/bench.json. On a machine that does something else, the ratios are worth little.

Exit codes: 0: measured; 2: wrong usage
`;

const CONCURRENCY = 16;

/** One thing that was measured. */
interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: string;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1]!;

await script('bench', async (args) => {
  const { values, help: wantsHelp } = readFlags(args, ['rounds'], { switches: ['long'] });
  if (wantsHelp) {
    process.stdout.write(help);
    return;
  }
  const rounds = wholeNumber('rounds', values['rounds'] ?? '5');
  const rows: Row[] = [];
  const add = (...more: readonly Row[]): void => {
    rows.push(...more);
    for (const row of more) process.stdout.write(`${line(row)}\n`);
  };
  const main = builtCommand();
  for (const latency of [0, 20, 100])
    add(...(await at(latency, (service) => limit(main, service, latency, rounds))));
  add(...(await at(100, (service) => shrinking(service, rounds))));
  add(...(await at(0, (service) => growth(main, service, rounds, values['long'] !== undefined))));
  const folder = join(import.meta.dirname, '../../../reports');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'bench.json'),
    `${JSON.stringify({ schemaVersion: 1, rounds, rows }, null, 2)}\n`,
  );
});

async function at(latency: number, measure: (service: Service) => Promise<Row[]>): Promise<Row[]> {
  const service = await startService(latency);
  try {
    return await measure(service);
  } finally {
    await service.stop();
  }
}

/** A run against a bare client, and its first request against an empty Vitest, measured in turn. */
async function limit(main: string, service: Service, latency: number, rounds: number): Promise<Row[]> {
  const pairs: { ratio: number; above: number; start: number }[] = [];
  let cost = 0;
  for (let round = 0; round < rounds; round++) {
    const empty = await emptyVitest();
    const asked = service.askedAt.length;
    const run = await conform(main, service);
    const bare = await sendBarely(service, run.exchanges, CONCURRENCY);
    const first = service.askedAt[asked]! - run.startedAt;
    const judged = run.report.requirements.filter(({ cases }) => cases > 0).length;
    cost = run.report.run.requests / judged;
    pairs.push({
      ratio: run.wall / (bare + empty.wall),
      above: run.wall - bare,
      start: first / empty.wall,
    });
  }
  const of = (key: keyof (typeof pairs)[number]): number => median(pairs.map((pair) => pair[key]));
  const where = `${latency} ms`;
  return [
    latency === 0
      ? {
          what: `run, above a bare client, at ${where}`,
          value: of('above') / 1000,
          unit: 's',
          goal: '1.0 at most',
        }
      : {
          what: `run / (bare client + empty Vitest), at ${where}`,
          value: of('ratio'),
          unit: '',
          goal: '1.25 at most',
        },
    { what: `first request / empty Vitest, at ${where}`, value: of('start'), unit: '', goal: '1.3 at most' },
    ...(latency === 0 ? [{ what: 'requests for a requirement that was judged', value: cost, unit: '' }] : []),
  ];
}

async function shrinking(service: Service, rounds: number): Promise<Row[]> {
  const pairs = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await shrinkAlone(service);
    const together = await shrinkTogether(service, CONCURRENCY);
    if (alone.path !== together.path) throw new Error(`${together.path} is not ${alone.path}`);
    pairs.push({ speed: alone.wall / together.wall, cost: together.requests / alone.requests });
  }
  return [
    {
      what: 'shrinking one by one / at once, at 100 ms',
      value: median(pairs.map(({ speed }) => speed)),
      unit: '',
      goal: '4 at least',
    },
    {
      what: 'requests for that, at once / one by one',
      value: median(pairs.map(({ cost }) => cost)),
      unit: '',
      goal: '2 at most',
    },
  ];
}

/** How time and memory grow with the cases, each size measured once a round. */
async function growth(main: string, service: Service, rounds: number, isLong: boolean): Promise<Row[]> {
  const sizes = [100, 1_000, 10_000, ...(isLong ? [100_000] : [])];
  const took: Left[][] = sizes.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, cases] of sizes.entries())
      took[at]!.push(await conform(main, service, ['--cases', String(cases)]));
  const wall = took.map((runs) => median(runs.map((run) => run.wall)));
  const memory = took.map((runs) => median(runs.map((run) => run.memory)));
  // What a run costs by itself is not the cases'.
  const perCase = (at: number): number => (wall[at]! - wall[0]!) / (sizes[at]! - sizes[0]!);
  return [
    ...sizes.map((cases, at) => ({
      what: `wall time of ${cases} cases`,
      value: wall[at]! / 1000,
      unit: 's',
    })),
    ...sizes.slice(2).flatMap((cases, index) => [
      {
        what: `time for a case, ${cases} / 1000`,
        value: perCase(index + 2) / perCase(1),
        unit: '',
        goal: 'below 1.1',
      },
      {
        what: `resident memory, ${cases} / 1000`,
        value: memory[index + 2]! / memory[1]!,
        unit: '',
        goal: 'below 1.3',
      },
    ]),
  ];
}

function line({ what, value, unit, goal }: Row): string {
  const figure = `${value.toFixed(2).padStart(8)} ${unit.padEnd(2)}`;
  return `${what.padEnd(48)} ${figure} ${goal === undefined ? '' : `(goal: ${goal})`}`.trimEnd();
}
