import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../settings/package-root.ts';
import { median } from '../median.ts';
import { build } from '../package/build.ts';
import { script, wholeNumber } from '../script.ts';
import { runEmptyVitest, runSuite, sendWithBareClient } from './runs.ts';
import type { MeasuredRun } from './runs.ts';
import { startServiceProcess } from './service.ts';
import type { ServiceProcess } from './service.ts';
import { shrinkAhead, shrinkOneByOne } from './shrinking.ts';

const CONCURRENCY = 16;

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: string | undefined;
}

/** Seconds, from milliseconds. */
const time = (name: string, value: number, goal?: string): Figure => ({
  name,
  value: value / 1000,
  unit: 's',
  goal,
});
const ratio = (name: string, value: number, goal?: string): Figure => ({
  name,
  value,
  unit: '',
  goal,
});

const bench = script(
  'bench',
  'Measures what a run costs. The ratios compare the built package with the least that a run could cost, measured in turn;' +
    ' they mean little on a machine that is busy with something else.',
)
  .option('--rounds <n>', 'how often each figure is measured; the median counts', wholeNumber, 5)
  .option('--long', 'also measure 100,000 cases')
  .addHelpText(
    'after',
    `
Writes reports/bench.json.

Exit codes:
  0  measured, whether or not the goals are met
  2  wrong usage`,
  )
  .action(async ({ rounds, long = false }: { rounds: number; long?: boolean }) => {
    const rows: Figure[] = [];
    const add = (more: readonly Figure[]): void => {
      rows.push(...more);
      for (const row of more) process.stdout.write(`${line(row)}\n`);
    };
    const main = await build();
    for (const latency of [0, 20, 100])
      add(await at(latency, (service) => overhead(main, service, latency, rounds)));
    add(await at(100, (service) => shrinking(service, rounds)));
    add(await at(0, (service) => growth(main, service, rounds, long)));
    const folder = join(packageRoot, 'reports');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'bench.json'),
      `${JSON.stringify({ schemaVersion: 1, rounds, rows }, null, 2)}\n`,
    );
  });

async function at(
  latency: number,
  measure: (service: ServiceProcess) => Promise<Figure[]>,
): Promise<Figure[]> {
  const service = await startServiceProcess(latency);
  try {
    return await measure(service);
  } finally {
    await service.stop();
  }
}

/** Compares a run with a bare client, and the time to its first request with an empty Vitest. */
async function overhead(
  main: string,
  service: ServiceProcess,
  latency: number,
  rounds: number,
): Promise<Figure[]> {
  const pairs: { ratio: number; above: number; start: number }[] = [];
  let requestsPerRequirement = 0;
  for (let round = 0; round < rounds; round++) {
    const empty = await runEmptyVitest();
    const requestsBefore = service.requestedAt.length;
    const run = await runSuite(main, service);
    const bare = await sendWithBareClient(service, run.exchanges, CONCURRENCY);
    const first = service.requestedAt[requestsBefore]! - run.startedAt;
    const judged = run.report.requirements.filter(({ cases }) => cases > 0).length;
    requestsPerRequirement = run.report.run.requests / judged;
    pairs.push({
      ratio: run.wall / (bare + empty.wall),
      above: run.wall - bare,
      start: first / empty.wall,
    });
  }
  const of = (key: keyof (typeof pairs)[number]): number => median(pairs.map((pair) => pair[key]));
  const atLatency = `latency ${latency} ms`;
  const start = ratio(`first request / empty Vitest, ${atLatency}`, of('start'), '1.3 at most');
  if (latency > 0)
    return [ratio(`run / (bare client + empty Vitest), ${atLatency}`, of('ratio'), '1.25 at most'), start];
  return [
    time(`run - bare client, ${atLatency}`, of('above'), '1.0 at most'),
    start,
    ratio('requests per judged requirement', requestsPerRequirement),
  ];
}

async function shrinking(service: ServiceProcess, rounds: number): Promise<Figure[]> {
  const pairs = [];
  for (let round = 0; round < rounds; round++) {
    const oneByOne = await shrinkOneByOne(service);
    const ahead = await shrinkAhead(service, CONCURRENCY);
    if (oneByOne.path !== ahead.path) throw new Error(`${ahead.path} is not ${oneByOne.path}`);
    pairs.push({ speed: oneByOne.wall / ahead.wall, cost: ahead.requests / oneByOne.requests });
  }
  return [
    ratio(
      'shrinking, time one by one / as a run, latency 100 ms',
      median(pairs.map(({ speed }) => speed)),
      '3 at least',
    ),
    ratio('shrinking, requests as a run / one by one', median(pairs.map(({ cost }) => cost)), '2 at most'),
  ];
}

/** How time and memory grow with the number of cases. */
async function growth(
  main: string,
  service: ServiceProcess,
  rounds: number,
  isLong: boolean,
): Promise<Figure[]> {
  const sizes = [100, 1_000, 10_000, ...(isLong ? [100_000] : [])];
  const runs: MeasuredRun[][] = sizes.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, cases] of sizes.entries())
      runs[at]!.push(await runSuite(main, service, ['--cases', String(cases)]));
  const wall = runs.map((rounds) => median(rounds.map((run) => run.wall)));
  const memory = runs.map((rounds) => median(rounds.map((run) => run.memory)));
  // Without the fixed cost of a run.
  const perCase = (at: number): number => (wall[at]! - wall[0]!) / (sizes[at]! - sizes[0]!);
  return [
    ...sizes.map((cases, at) => time(`time of a run with ${cases} cases`, wall[at]!)),
    ...sizes
      .slice(2)
      .flatMap((cases, index) => [
        ratio(`time per case, ${cases} / 1000 cases`, perCase(index + 2) / perCase(1), 'below 1.1'),
        ratio(`peak memory, ${cases} / 1000 cases`, memory[index + 2]! / memory[1]!, '1.5 at most'),
      ]),
  ];
}

function line({ name, value, unit, goal }: Figure): string {
  const figure = `${value.toFixed(2).padStart(8)} ${unit.padEnd(2)}`;
  return `${name.padEnd(54)} ${figure} ${goal === undefined ? '' : `(goal: ${goal})`}`.trimEnd();
}

await bench.parseAsync();
