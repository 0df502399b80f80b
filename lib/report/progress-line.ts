import { printable, withoutCiCommands, quantity } from '../target/output/printable.ts';
import { COLUMNS, columnsOf, wrapped } from './text.ts';

interface Progressed {
  /** Without retries, which are not progress. */
  readonly requests: number;
  readonly retries: number;
  /** What the latest retry followed, in a few words; undefined: there was none. */
  readonly trouble?: string | undefined;
  /** The number of judged requirements. */
  readonly judged: number;
  /** About how many requests the run will send; undefined: unknown. */
  readonly expected: number | undefined;
}

/** Shows the progress of a run: one line that is redrawn in a terminal, a line every ten seconds in a pipe. */
interface Progress {
  update(progressed: Progressed): void;
  /** Prints a message on a line of its own. */
  remark(text: string): void;
  /** Ends, before other output. */
  end(): void;
}

/** Milliseconds between lines in a pipe. */
const LINE_INTERVAL = 10_000;
/** Cells of the bar. */
const CELLS = 24;
/** The minimum on which an estimate of the time that is left is based. */
const MIN_KNOWN = { requests: 20, milliseconds: 1000 } as const;

/** @param isQuiet whether to print messages only */
export function createProgress(stream: NodeJS.WriteStream, isQuiet: boolean): Progress {
  let startedAt = 0;
  let latest: Progressed | undefined;
  /** When the latest request was sent: while the run waits, the estimate of what is left must not shrink. */
  let changedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isDrawn = false;
  const clear = (): void => {
    if (isDrawn) stream.write('\r\u001B[K');
    isDrawn = false;
  };
  const elapsed = (): number => performance.now() - startedAt;
  return {
    update(progressed) {
      if (isQuiet) return;
      if (latest === undefined) startedAt = performance.now();
      if (latest === undefined || sentIn(progressed) !== sentIn(latest)) changedAt = elapsed();
      latest = progressed;
      // A dumb terminal can't erase a line.
      if (stream.isTTY && process.env['TERM'] !== 'dumb') {
        const columns = columnsOf(stream);
        // What a run waits for says more than the bar.
        const bar = columns < COLUMNS ? '' : `${barOf(progressed)}  `;
        // A longer line would wrap, and could not be erased.
        stream.write(`\r${`${bar}${progressText(progressed, changedAt)}`.slice(0, columns - 1)}\u001B[K`);
        isDrawn = true;
      } else
        timer ??= setInterval(() => {
          const seconds = Math.round(elapsed() / 1000);
          const waited = elapsed() - changedAt;
          const waits = waited < LINE_INTERVAL ? '' : `, waiting for ${Math.round(waited / 1000)} s now`;
          stream.write(`after ${seconds} s: ${progressText(latest!, changedAt)}${waits}\n`);
        }, LINE_INTERVAL).unref();
    },
    remark(text) {
      clear();
      const lines = wrapped(printable(text), '', '  ', columnsOf(stream));
      stream.write(withoutCiCommands(`${lines.join('\n')}\n`));
    },
    end() {
      clear();
      clearInterval(timer);
      timer = undefined;
      latest = undefined;
    },
  };
}

const sentIn = ({ requests, retries }: Progressed): number => requests + retries;

function progressText(progressed: Progressed, elapsed: number): string {
  const { requests, retries, trouble, judged, expected } = progressed;
  const left = timeLeft(progressed, elapsed);
  // Later, retries need no attention as long as the run gets on.
  const reason = left === undefined && trouble !== undefined ? ` (${printable(trouble)})` : '';
  return [
    expected === undefined || requests >= expected
      ? quantity(requests, 'request')
      : `${requests} of about ${expected} requests`,
    ...(retries > 0 ? [`${quantity(retries, 'retry', 'retries')}${reason}`] : []),
    ...(left === undefined ? [] : [`about ${Math.ceil(left / 1000)} s left`]),
    // Comes last, as a narrow terminal has no room for it.
    ...(judged > 0 ? [`${quantity(judged, 'requirement')} judged`] : []),
  ].join(', ');
}

/** Milliseconds, if requests are answered as fast as they were; undefined: too little is known. */
function timeLeft({ requests, expected }: Progressed, elapsed: number): number | undefined {
  const isEarly = requests < MIN_KNOWN.requests || elapsed < MIN_KNOWN.milliseconds;
  if (isEarly || expected === undefined || requests >= expected) return undefined;
  return (elapsed * (expected - requests)) / requests;
}

/** A bar that shows the progress; if the number of requests is unknown, it only moves. */
function barOf({ requests, expected }: Progressed): string {
  const at = Math.floor(requests / 8) % CELLS;
  const filled = expected === undefined ? undefined : Math.floor((CELLS * requests) / expected);
  const isFilled = (cell: number): boolean =>
    filled === undefined ? Math.abs(cell - at) < 3 : cell < Math.min(filled, CELLS - 1);
  return Array.from({ length: CELLS }, (_, cell) => (isFilled(cell) ? '━' : '─')).join('');
}
