import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of responses after which what is no longer used is given back. Usual runs never come to it. */
const TIDY_AFTER = 4 * 1024 * 1024;
/** Bytes that an exchange takes beside its response, about. */
const BESIDE = 2048;

let read = 0;
let collect: (() => void) | undefined;

/**
 * Counts what was read from a target. The engine lets memory outside its heap grow by more than a hundred
 * megabytes before it looks; a target that answers everything with as much as we read must not use that.
 */
export function noteRead(bytes: number): void {
  read += bytes + BESIDE;
  if (read < TIDY_AFTER) return;
  read = 0;
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

/** Gives back what is no longer used before much else is needed, where a run was so long that there is much. */
export function tidy(): void {
  collect?.();
}
