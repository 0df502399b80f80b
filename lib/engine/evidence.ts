import type { Json } from '../schemas/json.ts';
import type { Profile } from '../schemas/profile.ts';
import { UsageError } from '../settings/settings.ts';
import type { Shard } from '../settings/settings.ts';
import type { StopCause, Trouble } from '../target/exchange.ts';
import type { RecordedExchange } from '../target/record.ts';
import type { Given, Kind } from './counted.ts';
import { evidenceSchema } from './evidence-schema.ts';
import type { Lines } from './lines.ts';
import type { Observation } from './observation.ts';

/**
 * A line of `evidence.ndjson`, which holds all that a run saw: what was run, the exchanges in the order of
 * their completion, what each experiment observed in them, the answers to the open questions, the end.
 * Redacted, like everything that is written.
 */
export type EvidenceLine =
  | RunLine
  | ExchangeLine
  | ObservationLine
  | CountedLine
  | ExplorationLine
  | AnswerLine
  | EndLine;

export interface RunLine {
  readonly type: 'run';
  readonly schemaVersion: 1;
  readonly suite: { readonly name: string; readonly version: string };
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** When `startedAt` of the exchanges is 0, ISO 8601; absent where nothing ran to its end. */
  readonly clockStartedAt?: string;
  readonly seed: number;
  readonly shard?: Shard;
  /** How many cases it was given, all shards together; absent in older files. */
  readonly cases?: number;
  readonly strict: boolean;
  readonly tokenScopes: readonly string[];
  readonly tokenExpiresIn: number;
  readonly profile?: Profile;
  /** Ids that the run was about, `*` for any text; absent: all. */
  readonly only?: string;
  /** How many recorded cases were sent again first; what they broke is in the report alone. */
  readonly replayed?: number;
}

export interface ExchangeLine extends RecordedExchange {
  readonly type: 'exchange';
  /** The credential once more, as a curl line needs it. */
  readonly credential?: { readonly field: string; readonly label: string; readonly shell: string };
  /** How the body of the response was read. */
  readonly reply: {
    readonly utf8: boolean;
    readonly notJson?: string;
    /** Only where `body` is not all of it. */
    readonly json?: unknown;
    /** Whether the body is cut, as the evidence would be too long: `json` has its id only, if there is one. */
    readonly cut?: boolean;
  };
}

export interface ObservationLine {
  readonly type: 'observation';
  /** Number of the exchange that is judged. */
  readonly exchange: number;
  /** Number of the accepted exchange that it differs from in one thing. */
  readonly control?: number;
  readonly observation: Omit<Observation, 'exchange' | 'control' | 'thin'>;
  /** The requirements that it breaks; only where the body of its exchange is cut. */
  readonly breaks?: readonly string[];
}

/** Observations of a long run of which no more is kept than their number and the ids that were given. */
export interface CountedLine extends Kind {
  readonly type: 'counted';
  readonly inFlight: number;
  readonly ids: readonly Given[];
}

export interface ExplorationLine {
  readonly type: 'exploration';
  readonly experiment: string;
  /** Cases without an observation, and why. */
  readonly lost: readonly {
    readonly reason: string;
    /** Whether judging it takes more than the run had. */
    readonly optional?: boolean;
    /** The request that no reply came to; absent where none was sent. */
    readonly request?: { readonly method: string; readonly path: string; readonly body: string };
    readonly troubles: readonly Trouble[];
  }[];
  /** Why it ended early. */
  readonly stopped?: string;
  /** What kept it from being explored at all. */
  readonly failure?: { readonly kind: 'inconclusive' | 'stopped'; readonly message: string };
}

export interface AnswerLine {
  readonly type: 'answer';
  readonly answer: {
    readonly id: string;
    readonly answer?: Json | undefined;
    readonly reason?: string | undefined;
    readonly untold?: boolean | undefined;
    readonly cases: number;
    /** Numbers of some of the exchanges that tell. */
    readonly exchanges: readonly number[];
  };
}

export interface EndLine {
  readonly type: 'end';
  readonly durationMs: number;
  readonly requests: number;
  readonly interrupted: boolean;
  readonly stopCause?: StopCause;
}

/**
 * Reads the lines of `evidence.ndjson`.
 * @param name of the file, for messages
 * @throws {UsageError} that names the first line which is none
 */
export function parseEvidence(text: Lines, name: string): EvidenceLine[] {
  const lines = [...text].filter((line) => line !== '');
  if (lines.length === 0) throw new UsageError(`${name}: it is empty; expected the evidence.ndjson of a run`);
  return lines.map((line, at) => {
    const value = parsed(line);
    const result = evidenceSchema.safeParse(value);
    // The value itself: an experiment's own members are not in the schema.
    if (result.success) return value as EvidenceLine;
    const place = result.error.issues[0]!.path.join('.') || 'type';
    throw new UsageError(
      `${name}: line ${at + 1} is no evidence (${place}); expected the evidence.ndjson of a run`,
    );
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
