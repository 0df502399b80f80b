import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { TargetSettings } from '../settings/settings.ts';
import { bearer } from '../target/credential.ts';
import type { Credential } from '../target/credential.ts';
import type { Exchange } from '../target/exchange.ts';
import { createRedactor } from '../target/redactor.ts';
import { Target } from '../target/target.ts';
import { member } from '../target/reply.ts';
import type { Readiness } from './diagnosis.ts';
import type { Exploration, Observation } from './observation.ts';
import { assertReady, firstAnswers } from './readiness.ts';
import { Packed } from './packed.ts';
import type { Recorded } from './recorded.ts';
import { openRecording } from './recording.ts';
import type { Recording } from './recording.ts';
import { paths } from './request.ts';
import { hash, tagOf, tagOfSeed } from './tag.ts';
import { openThinning } from './thinning.ts';
import type { Thinning } from './thinning.ts';

/** One run over one target: its settings, its connection, and what is drawn from its seed. */
export interface Run {
  readonly settings: TargetSettings;
  readonly target: Target;
  /** The right credential. */
  readonly credential: Credential;
  /** Lower-case letters and digits that every address of this run carries. */
  readonly tag: string;
  /** Ids of the customers that were created, for whoever cleans up. */
  readonly created: Iterable<string>;
  /** What of long explorations is kept. */
  readonly thinning: Thinning;
  /** What is seen, for the evidence. */
  readonly recording: Recording;
  /** What another run saw, which is judged again without sending anything; undefined: this run sends. */
  readonly recorded: Recorded | undefined;
  /** What an experiment finds out, or found out when it was recorded. */
  readonly explored: <O extends Observation>(
    experiment: string,
    explore: () => Promise<Exploration<O>>,
  ) => Promise<Exploration<O>>;
  /** The first answer of each operation, whatever it is; asked for once. */
  readonly first: () => Promise<Readiness>;
  /**
   * Resolves when the target has answered at all and the key is not in doubt.
   * @throws {Inconclusive} otherwise, for everybody who asks
   */
  readonly ready: () => Promise<Readiness>;
  /** Tells a person, while the run goes on, what it waits for. */
  readonly say: (text: string) => void;
  /** Draws one value; the same for the same seed and place. */
  readonly draw: <T>(arbitrary: fc.Arbitrary<T>, place: string) => T;
  /** Puts items in an order of the seed's; another one for each round. */
  readonly shuffle: <T>(items: readonly T[], round?: number) => readonly T[];
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

/** @param recorded what another run saw, which is judged in place of what a target answers */
export function openRun(
  settings: TargetSettings,
  { progress, say, secret }: Telling,
  recorded?: Recorded,
): Run {
  const created = new Packed<string>();
  const thinning = openThinning();
  const recording = openRecording(thinning.breaks);
  const target = new Target(
    settings.baseUrl,
    settings,
    {
      onProgress: progress,
      onAway: (reason) =>
        say(`${reason}. Check what has become of it; what was judged before that stands below`),
      onReply: (exchange) => {
        for (const id of createdBy(exchange)) created.push(id);
        recording.exchanged(exchange);
      },
      operationOf,
    },
    createRedactor(secret),
  );
  if (recorded) target.stop('it is judged from evidence; nothing is sent', 'budget');
  else target.redactor.hide(settings.apiKey, 'key');
  const draw = <T>(arbitrary: fc.Arbitrary<T>, place: string): T =>
    fc.sample(arbitrary, { seed: (settings.seed ^ hash(place)) | 0, numRuns: 1 })[0]!;
  let tag = tagOfSeed(settings.seed, settings.shard);
  let first: Promise<Readiness> | undefined;
  let readiness: Promise<Readiness> | undefined;
  const run: Run = {
    settings,
    target,
    credential: bearer(settings.apiKey),
    get tag() {
      return tag;
    },
    created,
    thinning,
    recording,
    recorded,
    explored: (experiment, explore) => {
      const exploration = recorded ? recordedBy(recorded, experiment) : explore();
      recording.explored(experiment, exploration);
      return exploration as ReturnType<typeof explore>;
    },
    first: () => (first ??= firstAnswers(run, () => (tag = tagOf(randomInt(2 ** 32))))),
    ready: () =>
      (readiness ??= run
        .first()
        .then((answers) => assertReady(run, answers))
        .catch((error: unknown) => {
          // Said at once, and first: nothing else that a run like this shows is worth reading.
          if (error instanceof Error) say(target.redactor.redact(error.message));
          throw error;
        })),
    say,
    draw,
    shuffle: (items, round = 0) =>
      draw(
        fc.shuffledSubarray([...items], { minLength: items.length }),
        `order of ${items.length}${round > 0 ? `, round ${round}` : ''}`,
      ),
  };
  return run;
}

/** What was recorded of an experiment; where that is nothing, it was not asked for. */
const recordedBy = async (
  { explorationOf }: Recorded,
  experiment: string,
): Promise<Exploration<Observation>> =>
  explorationOf(experiment) ?? { observations: [], counted: [], lost: [], stopped: 'it was not explored' };

/** The operation of the interface that a request is, if its path is just so: nothing else is timed. */
function operationOf({ request: { method, path } }: Exchange): string | undefined {
  const isOperation = method === 'POST' && Object.values<string>(paths).includes(path);
  return isOperation ? `${method} ${path}` : undefined;
}

/** The id that a response gives to a customer, if it does. */
export function createdBy({ request, reply }: Exchange): string[] {
  const id = reply.status >= 200 && reply.status < 300 ? member(reply.json, 'id') : undefined;
  const isCreation = request.method === 'POST' && request.path.toLowerCase().includes('customers');
  return isCreation && typeof id === 'string' ? [id.slice(0, 200)] : [];
}
