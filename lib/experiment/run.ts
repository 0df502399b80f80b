import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { TargetSettings } from '../settings/settings.ts';
import { bearer } from '../target/credential.ts';
import type { Credential } from '../target/credential.ts';
import { createRedactor } from '../target/redactor.ts';
import { Target } from '../target/target.ts';
import { prepare } from './readiness.ts';
import type { Readiness } from './readiness.ts';

/** One run over one target: its settings, its connection, and what is drawn from its seed. */
export interface Run {
  readonly settings: TargetSettings;
  readonly target: Target;
  /** The right credential. */
  readonly credential: Credential;
  /** Lower-case letters and digits that every address of this run carries. */
  readonly tag: string;
  /**
   * Resolves when the target has answered at all and the key is not in doubt.
   * @throws {Inconclusive} otherwise, for everybody who asks
   */
  readonly ready: () => Promise<Readiness>;
  /** Tells a person, while the run goes on, what it waits for. */
  readonly say: (text: string) => void;
  /** Draws one value; the same for the same seed and place. */
  readonly draw: <T>(arbitrary: fc.Arbitrary<T>, place: string) => T;
  /** Puts items in an order of the seed's. */
  readonly shuffle: <T>(items: readonly T[]) => readonly T[];
}

/** What is told of a run while it goes on. */
export interface Telling {
  /** How many requests were sent. */
  readonly progress: (requests: number) => void;
  /** What a person should know meanwhile. */
  readonly say: (text: string) => void;
  /** A secret that must be in no output; for whoever writes, and for nobody else. */
  readonly secret: (text: string) => void;
}

export function openRun(settings: TargetSettings, { progress, say, secret }: Telling): Run {
  const target = new Target(settings.baseUrl, settings, progress, createRedactor(secret), (reason) =>
    say(`${reason}. Check whether it is still up; what was judged before that stands below`),
  );
  target.redactor.hide(settings.apiKey, 'key');
  const draw = <T>(arbitrary: fc.Arbitrary<T>, place: string): T =>
    fc.sample(arbitrary, { seed: (settings.seed ^ hash(place)) | 0, numRuns: 1 })[0]!;
  let tag = tagOf(hash(`tag${settings.seed}`));
  let readiness: Promise<Readiness> | undefined;
  const run: Run = {
    settings,
    target,
    credential: bearer(settings.apiKey),
    get tag() {
      return tag;
    },
    ready: () =>
      (readiness ??= prepare(run, () => (tag = tagOf(randomInt(2 ** 32)))).catch((error: unknown) => {
        // Said at once, and first: nothing else that a run like this shows is worth reading.
        if (error instanceof Error) say(target.redactor.redact(error.message));
        throw error;
      })),
    say,
    draw,
    shuffle: (items) =>
      draw(fc.shuffledSubarray([...items], { minLength: items.length }), `order of ${items.length}`),
  };
  return run;
}

/** A tag that starts with a letter, so that no address looks like a number. */
const tagOf = (number: number): string => `q${(number >>> 0).toString(36).padStart(7, '0').slice(-5)}`;

/** FNV-1a, 32 bits: spreads places over the seeds. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const unit of text) value = Math.imul(value ^ unit.codePointAt(0)!, 0x01000193);
  return value >>> 0;
}
