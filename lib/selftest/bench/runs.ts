import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { linesOf } from '../../engine/evidence/lines.ts';
import { readEvidence } from '../../engine/evidence/recorded.ts';
import type { ExchangeLine } from '../../schemas/evidence.ts';
import type { Report } from '../../schemas/report.ts';
import { packageRoot } from '../../settings/package-root.ts';
import { forEachLimited } from '../../engine/for-each-limited.ts';
import { execute } from '../command.ts';
import { newFolder } from '../files.ts';
import { measuringPeakMemory, peakMemoryIn } from '../peak-memory.ts';
import type { ServiceProcess } from './service.ts';

/** The time and memory that a process took. */
interface Measurement {
  /** When it was started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds. */
  readonly wall: number;
  /** The peak of the resident set in megabytes. */
  readonly memory: number;
}

/** The time and memory that a run of the suite took, and what it wrote. */
export interface MeasuredRun extends Measurement {
  readonly report: Report;
  readonly exchanges: readonly ExchangeLine[];
}

async function measure(
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<Measurement> {
  const peak = join(folder, 'peak');
  const startedAt = performance.timeOrigin + performance.now();
  const measured = { ...environment, ...measuringPeakMemory(peak) };
  await execute(process.execPath, args, { cwd: folder, environment: measured });
  const wall = performance.timeOrigin + performance.now() - startedAt;
  return { startedAt, wall, memory: peakMemoryIn(peak) };
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = newFolder();
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the suite against a service. @param main path of the command */
export const runSuite = (
  main: string,
  service: ServiceProcess,
  flags: readonly string[] = [],
): Promise<MeasuredRun> =>
  inFolder(async (folder) => {
    const measurement = await measure([main, 'run', '--seed', '5', '--out', folder, ...flags], folder, {
      TARGET_BASE_URL: service.baseUrl,
      TARGET_API_KEY: service.apiKey,
    });
    return {
      ...measurement,
      report: JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8')) as Report,
      exchanges: linesOf(readEvidence(join(folder, 'evidence.ndjson')), 'exchange'),
    };
  });

/** Runs Vitest with one empty test, without a configuration, in a thread like the suites. */
export const runEmptyVitest = (): Promise<Measurement> =>
  inFolder(async (folder) => {
    const vitest = join(packageRoot, 'node_modules/vitest/dist');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'empty.test.js'), `import{test}from'${vitest}/index.js';test('empty',()=>{})`);
    const options = `{root:${JSON.stringify(folder)},config:false,run:true,watch:false,include:['empty.test.js'],pool:'threads',isolate:false}`;
    writeFileSync(
      join(folder, 'empty.js'),
      `import{createVitest}from'${vitest}/node.js';const v=await createVitest(${options});await v.start();await v.close()`,
    );
    return measure([join(folder, 'empty.js')], folder, {});
  });

/**
 * Sends the requests of a run again, in the same order, with nothing but undici.
 * @param concurrency requests in flight
 * @returns milliseconds
 */
export async function sendWithBareClient(
  { baseUrl, apiKey }: ServiceProcess,
  exchanges: readonly ExchangeLine[],
  concurrency: number,
): Promise<number> {
  const pool = new Pool(new URL(baseUrl).origin, { connections: concurrency });
  const startedAt = performance.now();
  await forEachLimited(exchanges, concurrency, async ({ request }) => {
    const { pathname, search } = new URL(request.url);
    const { body } = await pool.request({
      method: request.method,
      path: pathname + search,
      headers: request.headers
        // undici frames bodies itself.
        .filter(([name]) => name !== 'Transfer-Encoding')
        .flatMap(([name, value]) => [
          name,
          // The evidence is redacted; all credentials are about as long as the key.
          value.replaceAll(/\[[^\]]*\]/g, apiKey).replaceAll(/[^\t\x20-\x7e]/g, '?'),
        ]),
      ...(request.body !== '' && { body: request.body }),
    });
    await body.text();
  });
  const wall = performance.now() - startedAt;
  await pool.close();
  return wall;
}
