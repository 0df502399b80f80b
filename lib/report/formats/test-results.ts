import { caseFileIn, failureText } from '../../engine/judging/failure-text.ts';
import type { CustomFinding, Level, Report, ReportedRequirement } from '../../schemas/report.ts';
import { printable } from '../../target/output/printable.ts';
import { failsRun, isFailure, isExcused, isRequired } from '../../verdict/verdict.ts';
import { capitalised } from '../vocabulary.ts';
import { expectedAndGot } from '../finding-in-words.ts';
import { commonReason, extentOf, verdictSentence } from '../run-in-words.ts';
import { hostOf } from '../text.ts';

/** A row of a format for test results: a requirement, a custom one, or the verdict of the run. */
export interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly level: Level | 'custom' | 'run';
  readonly section?: string;
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped';
  /** The verdict in the suite's own words. */
  readonly verdict: string;
  /** One line, never empty. */
  readonly message: string;
  /** The failure in full; only where something is broken. */
  readonly details?: string;
}

/**
 * The report as test results. One of them fails, or is an error, exactly if the exit code of the run is not 0. What may go
 * untested and what a profile waives or a baseline knows is skipped. A recommendation that is not followed passes,
 * except in a strict run. A run without a verdict is an error of its own. Failures of custom suites are skipped, unless
 * they count.
 * @param out folder of the reports, for the replay commands
 */
export function testsOf(report: Report, out: string): TestResult[] {
  // One error for one reason: that of the verdict.
  const isOneError = commonReason(report.requirements) !== undefined;
  return allTests(report, out).map((test) =>
    isOneError && test.outcome === 'error' && test.level !== 'run' ? { ...test, outcome: 'skipped' } : test,
  );
}

const allTests = (report: Report, out: string): TestResult[] => [
  ...report.requirements.map((requirement) => ({
    ...common(requirement),
    level: requirement.level,
    section: requirement.section,
    outcome: outcomeOf(requirement, report.run.strict),
    ...((isFailure(requirement) || isExcused(requirement)) && {
      details: failureText(requirement, caseFileIn(out, requirement.id)),
    }),
  })),
  ...(report.custom ?? []).map((finding) => ({
    ...common(finding),
    level: 'custom' as const,
    outcome: customOutcomeOf(finding, report.customCounts ?? false, report.run.strict),
    ...(finding.verdict === 'fail' && { details: failureText(finding) }),
  })),
  {
    id: 'run.has.verdict',
    name: 'run.has.verdict: The run has a verdict.',
    level: 'run',
    outcome: report.verdict === 'inconclusive' ? 'error' : 'passed',
    verdict: report.verdict,
    message: printable(`${report.verdict}: ${verdictSentence(report)}`),
  },
];

const common = (
  judged: ReportedRequirement | CustomFinding,
): Pick<TestResult, 'id' | 'name' | 'verdict' | 'message'> => {
  const { id, statement, verdict, reason } = judged;
  const problem = 'problem' in judged ? judged.problem : undefined;
  const why = expectedAndGot(judged) ?? reason ?? '';
  const found = problem === undefined ? why : `${problem} ${capitalised(why)}`;
  // If a failure is waived, the waiver matters more than what failed.
  const message =
    verdict === 'waived' ? reason : verdict === 'known' ? `known from the baseline: ${found}` : found;
  return { id, name: printable(`${id}: ${statement}`), verdict, message: printable(message || verdict) };
};

function outcomeOf(requirement: ReportedRequirement, strict: boolean): TestResult['outcome'] {
  const { verdict } = requirement;
  if (failsRun(requirement, strict)) return 'failed';
  if (verdict === 'inconclusive' && isRequired(requirement)) return 'error';
  return verdict === 'pass' || verdict === 'warn' ? 'passed' : 'skipped';
}

function customOutcomeOf(finding: CustomFinding, counts: boolean, strict: boolean): TestResult['outcome'] {
  if (counts && failsRun(finding, strict)) return 'failed';
  if (finding.verdict === 'pass' || finding.verdict === 'warn') return 'passed';
  return counts && !finding.optional ? 'error' : 'skipped';
}

/** CTRF has no errors; what could not be judged is its `other`, because `skipped` looks harmless. */
const statuses = { passed: 'passed', failed: 'failed', error: 'other', skipped: 'skipped' } as const;

/**
 * The report in the Common Test Report Format.
 * @param out folder of the reports, for the replay commands
 */
export function ctrfOf(report: Report, out: string): object {
  const { suite, run, target, verdict } = report;
  const tests = testsOf(report, out);
  const start = Date.parse(run.startedAt);
  const count = (outcome: TestResult['outcome']): number => countOf(tests, outcome);
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: new Date(start + run.durationMs).toISOString(),
    generatedBy: `${suite.name} ${suite.version}`,
    results: {
      tool: { name: suite.name, version: suite.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        pending: 0,
        skipped: count('skipped'),
        other: count('error'),
        start,
        stop: start + run.durationMs,
        duration: run.durationMs,
      },
      tests: tests.map(({ id, name, outcome, verdict, level, section, message, details }) => ({
        testId: id,
        name,
        status: statuses[outcome],
        rawStatus: verdict,
        // Requirements share their requests, so that none has a duration of its own.
        duration: 0,
        suite: [level, ...(section === undefined ? [] : [`section ${section}`])],
        tags: [level],
        message,
        ...(details !== undefined && { trace: details }),
      })),
      environment: {
        testEnvironment: target.baseUrl,
        ...(target.name !== undefined && { appName: target.name }),
      },
      extra: { verdict, seed: run.seed, requests: run.requests },
    },
  };
}

/** The suite that is never empty comes first: some readers stop at one that is. */
const LEVELS = ['run', 'must', 'should', 'declared', 'custom'] as const;

/**
 * The report as JUnit XML: a test suite for the run and one for each level, a test case for each requirement. A test
 * case is called by the id of its requirement, which is stable, so that CI systems recognise it in another run. Only
 * the run was timed, because requirements share their requests.
 * @param out folder of the reports, for the replay commands
 */
export function junitXml(report: Report, out: string): string {
  const { suite, run } = report;
  const tests = testsOf(report, out);
  const suites = LEVELS.map((level) => tests.filter((test) => test.level === level))
    .filter((ofLevel) => ofLevel.length > 0)
    .map((ofLevel, id) => suiteLines(report, ofLevel, id));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name: suite.name, ...counts(tests), time: seconds(run.durationMs) })}>`,
    ...suites.flat(),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines(report: Report, tests: readonly TestResult[], id: number): string[] {
  const { suite, target, run } = report;
  const values = {
    id,
    package: suite.name,
    name: `${suite.name} ${tests[0]!.level}`,
    // UTC: the schemas allow no time zone.
    timestamp: run.startedAt.slice(0, 19),
    hostname: hostOf(target.baseUrl),
    ...counts(tests),
    skipped: countOf(tests, 'skipped'),
    ...timeOf(tests[0]!, run),
  };
  const others = tests.filter(({ outcome, details }) => outcome !== 'failed' && details !== undefined);
  return [
    `  <testsuite ${attributes(values)}>`,
    '    <properties>',
    ...properties(report).map(([name, value]) => `      <property ${attributes({ name, value })}/>`),
    '    </properties>',
    ...tests.flatMap((test) => caseLines(test, report)),
    `    <system-out>${escape(others.map(({ verdict, details }) => `[${verdict}] ${details}\n`).join('\n'))}</system-out>`,
    '    <system-err/>',
    '  </testsuite>',
  ];
}

const counts = (tests: readonly TestResult[]): Readonly<Record<string, number>> => ({
  tests: tests.length,
  failures: countOf(tests, 'failed'),
  errors: countOf(tests, 'error'),
});

const countOf = (tests: readonly TestResult[], wanted: TestResult['outcome']): number =>
  tests.filter(({ outcome }) => outcome === wanted).length;

function properties(report: Report): [name: string, value: string | number][] {
  const { suite, target, run, verdict } = report;
  return [
    ['version', suite.version],
    ['target', target.baseUrl],
    ...(target.route === undefined ? [] : [['route', target.route] as [string, string]]),
    ['verdict', verdict],
    ['extent', extentOf(report).join('; ')],
    ['seed', run.seed],
    ['requests', run.requests],
    ['startedAt', run.startedAt],
  ];
}

function caseLines(test: TestResult, { suite, run }: Report): string[] {
  const { id, level, outcome, verdict, message, details } = test;
  const classname = `${suite.name}.${level}`;
  const open = `    <testcase ${attributes({ name: id, classname, ...timeOf(test, run) })}`;
  const child = {
    passed: [],
    skipped: [`      <skipped ${attributes({ message })}/>`],
    error: [`      <error ${attributes({ message, type: verdict })}/>`],
    failed: [`      <failure ${attributes({ message, type: verdict })}>${escape(details ?? '')}</failure>`],
  }[outcome];
  return child.length === 0 ? [`${open}/>`] : [`${open}>`, ...child, '    </testcase>'];
}

const timeOf = ({ level }: TestResult, { durationMs }: Report['run']): { readonly time?: string } =>
  level === 'run' ? { time: seconds(durationMs) } : {};

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join(' ');

/** Text for XML 1.0: markup is escaped; invisible characters, and those that XML forbids, are spelled out. */
const escape = (text: string): string =>
  text
    .split('\n')
    .map(printable)
    .join('\n')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
