import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * The environment in which a Node process writes the peak of its resident set when it exits.
 * @param file where, in kilobytes
 */
export const measuringPeakMemory = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${import.meta.url}`,
  PEAK_MEMORY_FILE: file,
});

/** Megabytes, as such a process has written them. */
export const peakMemoryIn = (file: string): number => Number(readFileSync(file, 'utf8')) / 1024;

/** On Linux, maxRSS starts from the peak of the process that started this one; VmHWM counts only this one. */
function peak(): number {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

// In the process that is measured, which preloads this module.
const file = process.env['PEAK_MEMORY_FILE'];
if (file !== undefined && isMainThread) process.on('exit', () => writeFileSync(file, String(peak())));
