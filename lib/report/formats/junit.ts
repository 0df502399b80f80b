import { printable } from '../../target/output/printable.ts';
import type { Report } from '../../schemas/report.ts';
import { hostOf } from '../text.ts';
import { testsOf } from './test-results.ts';
import type { TestResult } from './test-results.ts';

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
    skipped: tests.filter(({ outcome }) => outcome === 'skipped').length,
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
  failures: tests.filter(({ outcome }) => outcome === 'failed').length,
  errors: tests.filter(({ outcome }) => outcome === 'error').length,
});

const properties = ({ suite, target, run, verdict }: Report): [name: string, value: string | number][] => [
  ['version', suite.version],
  ['target', target.baseUrl],
  ['verdict', verdict],
  ['seed', run.seed],
  ['requests', run.requests],
  ['startedAt', run.startedAt],
];

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
