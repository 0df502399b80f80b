import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEvidence } from '../../engine/evidence.ts';
import type { ExchangeLine } from '../../engine/evidence.ts';
import { linesOf } from '../../engine/merge-evidence.ts';
import type { Report } from '../../report/model.ts';
import { packageRoot } from '../../settings/package-root.ts';
import type { Service } from './service.ts';

/** What one run of a command took. */
export interface Took {
  /** Milliseconds since 1970 at which it was started. */
  readonly startedAt: number;
  /** Milliseconds. */
  readonly wall: number;
  /** Megabytes of resident set at most. */
  readonly memory: number;
}

/** What a run left behind. */
export interface Left extends Took {
  readonly report: Report;
  readonly exchanges: readonly ExchangeLine[];
}

/** Writes what a process used at most, when it ends. */
const PEAK = `data:text/javascript,import{writeFileSync}from'node:fs';import{isMainThread}from'node:worker_threads';if(isMainThread)process.on('exit',()=>writeFileSync(process.env.CTS_PEAK,String(process.resourceUsage().maxRSS)))`;

async function timed(args: readonly string[], folder: string, environment: NodeJS.ProcessEnv): Promise<Took> {
  const peak = join(folder, 'peak');
  const startedAt = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...environment, NODE_OPTIONS: `--import="${PEAK}"`, CTS_PEAK: peak },
    stdio: 'ignore',
  });
  await once(child, 'close');
  const wall = performance.timeOrigin + performance.now() - startedAt;
  return { startedAt, wall, memory: Number(readFileSync(peak, 'utf8')) / 1024 };
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'cts-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `cts run` against a service. @param main path of the command */
export const conform = (main: string, service: Service, flags: readonly string[] = []): Promise<Left> =>
  inFolder(async (folder) => {
    const took = await timed([main, 'run', '--seed', '5', '--out', folder, ...flags], folder, {
      TARGET_BASE_URL: service.baseUrl,
      TARGET_API_KEY: service.apiKey,
    });
    const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
    return {
      ...took,
      report: JSON.parse(text('conformance.json')) as Report,
      exchanges: linesOf(parseEvidence(text('evidence.ndjson').split('\n'), 'evidence.ndjson'), 'exchange'),
    };
  });

/** Runs Vitest over one empty test, as bare as it gets, in a thread as the suites are. */
export const emptyVitest = (): Promise<Took> =>
  inFolder(async (folder) => {
    const vitest = join(packageRoot, 'node_modules/vitest/dist');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'empty.test.js'), `import{test}from'${vitest}/index.js';test('empty',()=>{})`);
    const options = `{root:${JSON.stringify(folder)},config:false,run:true,watch:false,include:['empty.test.js'],pool:'threads',isolate:false}`;
    writeFileSync(
      join(folder, 'empty.js'),
      `import{createVitest}from'${vitest}/node.js';const v=await createVitest(${options});await v.start();await v.close()`,
    );
    return timed([join(folder, 'empty.js')], folder, {});
  });
