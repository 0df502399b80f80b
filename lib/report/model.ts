import { entryOf, requirementIds } from '../engine/catalogue.ts';
import { questionIds, questionOf } from '../engine/questions.ts';
import type { QuestionId } from '../engine/questions.ts';
import type { Answer } from '../engine/question.ts';
import type { Level } from '../engine/catalogue.ts';
import type { Created, Finding, OwnFinding } from '../engine/finding.ts';
import type { TargetSettings } from '../settings/settings.ts';
import type { Latencies } from '../target/latency.ts';
import type { Traffic } from '../target/sending.ts';
import { verdictOf } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { declaredIn } from './declared.ts';
import type { suite } from './suite.ts';
import { withWaivers } from './waivers.ts';

/** One requirement as it stands in the report. */
export interface ReportedRequirement extends Omit<Finding, 'id'> {
  readonly id: string;
  readonly section: string;
  readonly source?: string;
  /** `declared`: what the operator of the target has answered in a profile. */
  readonly level: Level;
  /** Open questions that a profile must answer for it to be tested. */
  readonly needs?: readonly QuestionId[];
  readonly statement: string;
}

/** One open question as it stands in the report. */
export interface ReportedQuestion extends Answer {
  readonly section: string;
  readonly question: string;
}

/** All that a run came to; `conformance.json` is this, and every rendering is made from it. */
export interface Report {
  readonly schemaVersion: 1;
  readonly suite: typeof suite;
  readonly target: { readonly baseUrl: string; readonly name?: string; readonly embedded?: true };
  readonly run: {
    /** ISO 8601. */
    readonly startedAt: string;
    readonly durationMs: number;
    readonly seed: number;
    readonly requests: number;
    readonly retries: number;
    /** Requests that the target asked to be sent later. */
    readonly throttled: number;
    /** Milliseconds that the run stood still because the target asked for it. */
    readonly waitedMs: number;
    /** Most requests that were in flight together. */
    readonly inFlight: number;
    /** How long accepted requests took, by operation. */
    readonly latency: Latencies;
    readonly strict: boolean;
    /** Why it ended early, if it did. */
    readonly stopped?: string;
    /** The suite's own failures. With any there is no verdict, whatever was found. */
    readonly defects?: readonly string[];
  };
  readonly verdict: Verdict;
  readonly requirements: readonly ReportedRequirement[];
  readonly questions: readonly ReportedQuestion[];
  /** What the run has left at the target; absent where nothing ran to its end. */
  readonly created?: Created;
  /** What suites of somebody's own have found, with `--suite`: no part of the verdict. */
  readonly own?: readonly OwnFinding[];
  /** Whether it counts for the exit code all the same. */
  readonly ownCounts?: true;
}

/** What a report is made from. */
export interface Outcome {
  readonly settings: TargetSettings;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
  readonly answers: readonly Answer[];
  /** What suites of somebody's own have found. */
  readonly own: readonly OwnFinding[];
  readonly created: Created | undefined;
  readonly interrupted: boolean;
  /** Why the requirements without a finding have none. */
  readonly absent: string;
  readonly traffic: Traffic | undefined;
  /** The suite's own failures, in words. */
  readonly defects: readonly string[];
}

export function makeReport(outcome: Outcome, identity: typeof suite): Report {
  const { settings, findings, answers, absent, traffic, startedAt, defects } = outcome;
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const catalogued = requirementIds.map((id): ReportedRequirement => {
    const finding = byId.get(id) ?? {
      id,
      verdict: 'untested' as const,
      reason: absent,
      cases: 0,
      accepted: 0,
      broken: 0,
      inFlight: 0,
    };
    return { ...entryOf(id), ...finding };
  });
  const questions = questionIds.map((id): ReportedQuestion => {
    const { section, question, asked } = questionOf(id);
    const reason = asked === 'operator' ? 'for the operator to say, in a profile' : absent;
    const answer = answers.find((one) => one.id === id) ?? { id, reason, exchanges: [], cases: 0 };
    return { section, question, ...answer };
  });
  const { profile } = settings;
  const requirements = withWaivers([...catalogued, ...declaredIn(profile, questions)], profile, startedAt);
  const name = profile?.name ?? (settings.embedded ? 'embedded reference service' : undefined);
  return {
    schemaVersion: 1,
    suite: identity,
    target: {
      baseUrl: settings.baseUrl,
      ...(name !== undefined && { name }),
      ...(settings.embedded && { embedded: true }),
    },
    run: {
      startedAt: outcome.startedAt.toISOString(),
      durationMs: Math.round(outcome.durationMs),
      seed: settings.seed,
      requests: traffic?.requests ?? 0,
      retries: traffic?.retries ?? 0,
      throttled: traffic?.throttled ?? 0,
      waitedMs: Math.round(traffic?.waited ?? 0),
      inFlight: traffic?.peak ?? 0,
      latency: traffic?.latency ?? {},
      strict: settings.strict,
      ...(traffic?.stopped === undefined ? {} : { stopped: traffic.stopped }),
      ...(defects.length > 0 && { defects }),
    },
    verdict:
      defects.length > 0
        ? 'inconclusive'
        : verdictOf(requirements, settings.strict, outcome.interrupted ? 'interrupt' : traffic?.stopCause),
    requirements,
    questions,
    ...(outcome.created && { created: outcome.created }),
    ...(settings.customSuites && {
      own: outcome.own,
      ...(settings.customSuites.counts && { ownCounts: true }),
    }),
  };
}
