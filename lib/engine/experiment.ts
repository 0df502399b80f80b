import { setImmediate as soon } from 'node:timers/promises';
import type fc from 'fast-check';
import { NoReply, Stopped } from '../target/exchange.ts';
import { isScarce } from './affordable.ts';
import { Inconclusive } from './observation.ts';
import type { Case, Exploration, Observation } from './observation.ts';
import type { Readiness } from './diagnosis.ts';
import type { Run } from './run.ts';

/** An input still to be drawn, and the class that it stands for. */
export interface Slot<I> {
  readonly category: string;
  readonly arbitrary: fc.Arbitrary<I>;
  /** What is waited for when its turn comes, while those before it are still in flight. */
  readonly after?: () => Promise<unknown>;
}

/** A drawn input with the mark that makes its request unlike any other. */
export interface Trial<I> {
  readonly case: Case<I>;
  /** Made anew for each try, as a try that broke may have been carried out. */
  readonly mark: (tries: number) => string;
}

export interface Experiment<I, O extends Observation<I> = Observation<I>> {
  readonly name: string;
  /** Explores once, however often it is asked. */
  explore: () => Promise<Exploration<O>>;
  /** Resolves when an exploration that was asked for is over, however it ended; at once when none was. */
  settled: () => Promise<unknown>;
  /**
   * Sends an input of a category again, for reproducing, shrinking and replaying.
   * @param mark makes two requests identical; without it each is marked anew
   */
  repeat: (input: I, category: string, mark?: string) => Promise<O>;
  /** An arbitrary that shrinks any input of this experiment. */
  readonly shrinking: fc.Arbitrary<I>;
}

/** How a plan sends, and adds what was already sent. */
export interface Wave<I, O> {
  /** @param isShared whether the shards of a run share the slots; otherwise each of them sends all */
  send: (slots: readonly Slot<I>[], isShared?: boolean) => Promise<readonly O[]>;
  add: (result: O | NoReply | Stopped) => void;
  /** Whether nothing is sent any more. */
  isOver: () => boolean;
}

/** How an experiment is made. */
export interface Design<I, O extends Observation<I>> {
  readonly name: string;
  /** One letter, different for each experiment, that its marks carry. */
  readonly letter: string;
  readonly shrinking: fc.Arbitrary<I>;
  /**
   * Says what is explored, in one wave or several: each `send` starts the slots given and comes
   * back with what was observed, so that the next wave can follow what the target took.
   */
  readonly plan: (wave: Wave<I, O>, run: Run, first: Readiness) => Promise<void>;
  /** Sends one trial. */
  readonly perform: (trial: Trial<I>, run: Run) => Promise<O>;
  /** Sends several at the same instant; without it they are sent as the limiter lets them. */
  readonly performTogether?: (
    trials: readonly Trial<I>[],
    run: Run,
  ) => Promise<readonly (O | NoReply | Stopped)[]>;
}

/** Binds a design to a run. Nothing is sent before the first `explore`. */
export function experiment<I, O extends Observation<I>>(run: Run, design: Design<I, O>): Experiment<I, O> {
  let exploration: Promise<Exploration<O>> | undefined;
  let repeats = 0;
  return {
    name: design.name,
    shrinking: design.shrinking,
    explore: () => (exploration ??= run.explored(design.name, () => explore(run, design))),
    settled: async () => Promise.allSettled([exploration]),
    repeat: (input, category, same) => {
      const again = same ?? (repeats++).toString(36);
      return design.perform(
        {
          case: { experiment: design.name, index: -1, category, input },
          mark: (tries) => `${run.tag}${design.letter}${again}r${tries || ''}`,
        },
        run,
      );
    },
  };
}

async function explore<I, O extends Observation<I>>(run: Run, design: Design<I, O>): Promise<Exploration<O>> {
  const first = await run.ready();
  const observations: O[] = [];
  const lost: (NoReply | Inconclusive)[] = [];
  let stopped: string | undefined;
  let next = 0;
  const isHurried = isScarce(run, first);
  const note = (result: O | NoReply | Stopped | Inconclusive): void => {
    if (result instanceof NoReply || result instanceof Inconclusive) lost.push(result);
    else if (result instanceof Stopped) stopped ??= result.message;
    else if (run.thinning.keeps(result)) observations.push(result);
  };
  const { index: own, count } = run.settings.shard ?? { index: 1, count: 1 };
  const send = async (slots: readonly Slot<I>[], isShared = false): Promise<readonly O[]> => {
    const before = observations.length;
    const numbered = slots
      .map((slot) => ({ slot, index: next++ }))
      .filter(({ index }) => !isShared || index % count === own - 1);
    if (design.performTogether) {
      const trials = numbered.map((one) => trialOf(run, design, one));
      for (const result of await design.performTogether(trials, run)) note(result);
    } else {
      // Drawn one by one, while those before are waited for.
      await inParallel(numbered, run.settings.concurrency, async (one) => {
        await one.slot.after?.();
        if (stopped !== undefined) return;
        const result = await design.perform(trialOf(run, design, one), run).catch(onlyExpected);
        // What else has come makes room for the next requests first: judging and drawing can be done while those are
        // awaited. But where requests are few, nobody who builds on this one may lose a turn.
        if (!isHurried) await soon();
        note(result);
      });
    }
    const wave = observations.splice(before).toSorted((a, b) => a.case.index - b.case.index);
    observations.push(...wave);
    return wave;
  };
  await design.plan({ send, add: note, isOver: () => stopped !== undefined }, run, first);
  return { observations, counted: run.thinning.counted(design.name), lost, stopped };
}

function trialOf<I>(
  run: Run,
  { name, letter }: { name: string; letter: string },
  { slot: { category, arbitrary }, index }: { readonly slot: Slot<I>; readonly index: number },
): Trial<I> {
  return {
    case: { experiment: name, index, category, input: run.draw(arbitrary, `${letter}${index}`) },
    mark: (tries) => `${run.tag}${letter}${index.toString(36)}${tries > 0 ? `t${tries}` : ''}`,
  };
}

function onlyExpected(error: unknown): NoReply | Stopped | Inconclusive {
  if (error instanceof NoReply || error instanceof Stopped || error instanceof Inconclusive) return error;
  throw error;
}

async function inParallel<T>(
  items: readonly T[],
  width: number,
  use: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await use(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}
