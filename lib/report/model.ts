import { entryOf, requirementIds } from '../engine/catalogue.ts';
import { questionIds, questionOf } from '../engine/questions.ts';
import type { Answer } from '../engine/question.ts';
import type { Finding } from '../engine/finding.ts';
import type {
  Created,
  CustomFinding,
  Report,
  ReportedQuestion,
  ReportedRequirement,
} from '../schemas/report.ts';
import type { TargetSettings } from '../settings/settings.ts';
import type { Traffic } from '../target/sending.ts';
import { verdictOf } from '../verdict/verdict.ts';
import { declaredIn } from './declared.ts';
import type { suite } from './suite.ts';
import { withWaivers } from './waivers.ts';

/** What a report is made from. */
export interface Outcome {
  readonly settings: TargetSettings;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
  readonly answers: readonly Answer[];
  /** Results of custom suites. */
  readonly custom: readonly CustomFinding[];
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
    return { section, question, asked: asked === 'seen' ? 'observed' : asked, ...answer };
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
      custom: outcome.custom,
      ...(settings.customSuites.counts && { customCounts: true }),
    }),
  };
}
