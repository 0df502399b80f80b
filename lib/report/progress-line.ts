import { commandless } from '../target/commandless.ts';
import { printable } from '../target/printable.ts';

/** Shows that a run goes on: one line that is redrawn in a terminal, a line now and then in a pipe. */
export interface Progress {
  update(requests: number, judged: number): void;
  /** Says something that a person should know meanwhile, on a line of its own. */
  say(text: string): void;
  /** Takes the line away, before other text. */
  clear(): void;
}

const STEP = 100;
const FRAMES = 24;

/** @param isQuiet whether the numbers are left out */
export function createProgress(stream: NodeJS.WriteStream, isQuiet = false): Progress {
  let shown = 0;
  let isDrawn = false;
  return {
    update(requests, judged) {
      if (isQuiet) return;
      if (stream.isTTY) {
        // How many requests there will be is not known: what the target takes decides. The bar moves on.
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
