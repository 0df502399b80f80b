import { test as base, describe, inject } from 'vitest';
import type { CustomFinding, Finding } from '../schemas/report.ts';
import type { Settings, TargetSettings } from '../settings/run-settings.ts';
import { isKnown } from '../verdict/baseline.ts';
import { caseFileIn, failureText } from './judging/failure-text.ts';
import { customFindingOf, findingOf } from './judging/judge.ts';
import type { CustomSuite } from './custom-suites.ts';
import { openReporterChannel } from './reporter-channel.ts';
import { OPEN_QUESTIONS, selectedOf, testNameOf } from './selection.ts';
import type { Chapter } from './catalogue.ts';
import type { Question } from './question.ts';
import type { Requirement } from './requirement.ts';
import type { Run } from './scenario.ts';
import { failsRun, hasNoVerdict, isRequired } from '../verdict/verdict.ts';
import { waiverFor } from '../verdict/waivers.ts';
import { shareRun } from './shared-run.ts';
import type { ChapterSelection, Conformance, Suites } from './shared-run.ts';

/** Data that the suites and the reporter exchange through Vitest. */
declare module 'vitest' {
  interface TaskMeta {
    finding?: Finding;
    custom?: CustomFinding;
  }
  interface ProvidedContext {
    /** The settings of the command line; absent under plain `vitest run`. */
    commandSettings?: Settings;
    /** The settings with a target, for the suites and the reporter. */
    targetSettings: TargetSettings;
    /** Absent with another reporter: each test then sends its requests when it starts. */
    selection?: ChapterSelection;
  }
}

/** Whether a failure does not fail the run: when it began, the profile waived it, or the baseline knew it. */
function excuses({ settings: { profile, baseline }, target }: Run, id: string): boolean {
  const startedAt = new Date(target.traffic.openedAt);
  return waiverFor(profile, id, startedAt) !== undefined || isKnown(baseline, id, startedAt);
}

/** The functions that make tests of requirements. The tests share one run, from the first test to the end of the worker. */
export function defineSuites(suites: Suites) {
  const test = base.extend<{ conformance: Conformance }>({
    // The empty pattern tells Vitest that this fixture needs no other one.
    conformance: [
      async ({}, use) =>
        shareRun(suites, inject('targetSettings'), inject('selection'), openReporterChannel(), use),
      { scope: 'worker' },
    ],
  });

  /** The test of a requirement: its level is the tag, its finding the meta. */
  const testRequirement = (requirement: Requirement): void => {
    const { id, level, statement } = requirement;
    test(testNameOf(id, statement), { tags: [level] }, async ({ conformance: { run }, task, skip }) => {
      const finding = await findingOf(run, requirement);
      task.meta.finding = finding;
      if (failsRun(finding, run.settings.strict) && !excuses(run, id))
        throw new Failure(
          'RequirementFailure',
          failureText({ ...requirement, ...finding }, caseFileIn(run.settings.out, id)),
        );
      if (!hasNoVerdict(finding)) return;
      const { verdict, reason } = finding;
      if (!isRequired({ ...finding, level })) skip(reason);
      throw new Failure('NoVerdict', `${id}: ${verdict}: ${reason}`);
    });
  };

  return {
    chapter: ({ title, requirements }: Chapter): void => {
      describe(title, () => {
        selectedOf(inject('targetSettings'), requirements).forEach(testRequirement);
      });
    },

    /** The open questions: one test asks them all, and each declared answer has a test. */
    questions: (title: string, questions: readonly Question[]): void => {
      const settings = inject('targetSettings');
      const { profile } = settings;
      const selected = selectedOf(settings, questions);
      if (selected.length === 0) return;
      describe(title, () => {
        test(OPEN_QUESTIONS, async ({ conformance: { ask } }) => {
          await Promise.all(selected.map(ask));
        });
        for (const question of selected) {
          if (question.asked === 'operator' || profile?.answers[question.id] === undefined) continue;
          test(
            testNameOf(question.id, question.question),
            { tags: ['declared'] },
            async ({ conformance, skip }) => {
              const { drift, declared, answer: found, reason } = await conformance.ask(question);
              if (drift && !excuses(conformance.run, question.id))
                throw new Failure(
                  'Drift',
                  `declared ${JSON.stringify(declared)}, got ${JSON.stringify(found)}`,
                );
              if (found === undefined) skip(reason);
            },
          );
        }
      });
    },

    /** The tests of the custom suites, which share one run. They never fail, as they do not affect the verdict on the interface. */
    custom: (loaded: readonly CustomSuite[]): void => {
      const all = loaded.flatMap(({ requirements }) => requirements);
      for (const { file, requirements } of loaded)
        describe(file, () => {
          for (const requirement of selectedOf(inject('targetSettings'), requirements)) {
            const { id, statement } = requirement;
            test(testNameOf(id, statement), async ({ conformance: { customRun }, task, skip }) => {
              const run = customRun(all);
              const found = await customFindingOf(run, requirement);
              const finding: CustomFinding = {
                ...found,
                statement: run.target.redactor.redact(statement),
                id,
                file,
              };
              task.meta.custom = finding;
              if (hasNoVerdict(finding)) skip(finding.reason);
            });
          }
        });
    },
  };
}

/** A failure of a requirement, without a stack, which would only show the code of the suite. */
class Failure extends Error {
  override readonly stack = '';
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}
