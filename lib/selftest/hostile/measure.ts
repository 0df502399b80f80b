import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cts } from '../../cli/testing/command.ts';
import type { Hostile } from './hostile.ts';

/** What became of a run against a hostile target. */
export interface Measured {
  readonly name: string;
  readonly exitCode: number | null;
  readonly seconds: number;
  /** Megabytes of resident set at most. */
  readonly memory: number;
  readonly firstLine: string;
  readonly requests: number;
  /** Why it is not as it must be; empty: it is. */
  readonly complaints: readonly string[];
}

const MOST_MEMORY = 300;
const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

/**
 * Writes what the process used at most, in kilobytes, when it ends. Linux tells it in two ways, of which only this
 * one leaves out what the process that started it had used.
 */
const PEAK = `data:text/javascript,import{readFileSync,writeFileSync}from'node:fs';import{isMainThread}from'node:worker_threads';const peak=()=>{try{return%20/VmHWM:%5Cs*(%5Cd+)/.exec(readFileSync('/proc/self/status','utf8'))[1]}catch{return%20process.resourceUsage().maxRSS}};if(isMainThread)process.on('exit',()=>writeFileSync(process.env.CTS_PEAK,String(peak())))`;

export async function measure({ name, start, exit, within, says }: Hostile): Promise<Measured> {
  const target = await start();
  const peak = join(import.meta.dirname, `../../reports/.peak-${process.pid}-${Math.random()}`);
  const startedAt = performance.now();
  const { code, stdout, stderr, report, bytes, out } = await cts(['run'], {
    TARGET_BASE_URL: target.baseUrl,
    TARGET_API_KEY: target.apiKey ?? KEY,
    NODE_OPTIONS: `--import="${PEAK}"`,
    CTS_PEAK: peak,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  await target.stop();
  const memory = Number(readFileSync(peak, 'utf8')) / 1024;
  rmSync(peak);
  rmSync(dirname(out), { recursive: true, force: true });
  const isTelling = (line: string): boolean =>
    line.trim() !== '' && !/^\d+ requests sent$| will be sent at most /.test(line);
  const firstLine = stdout.split('\n').find(isTelling) ?? '';
  const told = code === 3 ? firstLine : stdout;
  return {
    name,
    exitCode: code,
    seconds,
    memory,
    firstLine,
    requests: report?.run.requests ?? 0,
    complaints: [
      ...(exit.includes(code ?? -1) ? [] : [`exit ${code}, not ${exit.join(' or ')}`]),
      ...(seconds <= within ? [] : [`more than ${within} s`]),
      ...(memory <= MOST_MEMORY ? [] : [`more than ${MOST_MEMORY} MB`]),
      ...(says.test(told) ? [] : [`it says ${JSON.stringify(told.slice(0, 200))}, not ${says.source}`]),
      ...(report || code === 2 ? [] : ['no report']),
      ...(bytes.includes(target.apiKey ?? KEY) ? ['the key is in its output'] : []),
      ...(stderr === '' ? [] : [`it wrote to stderr: ${stderr.slice(0, 200)}`]),
      ...(target.complaint?.() ?? []),
    ].flat(),
  };
}
