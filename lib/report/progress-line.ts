import { commandless } from '../target/commandless.ts';
import { printable } from '../target/printable.ts';

/** Shows the progress of a run: one line that is redrawn in a terminal, a line now and then in a pipe. */
export interface Progress {
  update(requests: number, judged: number): void;
  /** Prints a message on a line of its own. */
  say(text: string): void;
  /** Removes the line, before other output. */
  clear(): void;
}

const STEP = 100;
const FRAMES = 24;

/** @param isQuiet whether to print messages only */
export function createProgress(stream: NodeJS.WriteStream, isQuiet = false): Progress {
  let shown = 0;
  let isDrawn = false;
  return {
    update(requests, judged) {
      if (isQuiet) return;
      if (stream.isTTY) {
        // The total depends on what the target accepts, so the bar only moves.
        const at = Math.floor(requests / 8) % FRAMES;
        const bar = Array.from({ length: FRAMES }, (_, cell) => (Math.abs(cell - at) < 3 ? '━' : '─')).join(
          '',
        );
        stream.write(`\r${bar}  requests: ${requests}, requirements judged: ${judged}\u001B[K`);
        isDrawn = true;
      } else if (requests - shown >= STEP) {
        shown = requests - (requests % STEP);
        stream.write(`${shown} requests sent\n`);
      }
    },
    say(text) {
      this.clear();
      stream.write(commandless(`${printable(text)}\n`));
    },
    clear() {
      if (isDrawn) stream.write('\r\u001B[K');
      isDrawn = false;
    },
  };
}
