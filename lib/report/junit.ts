import { printable } from '../target/printable.ts';
import { testsOf } from './formats/tested.ts';
import type { Tested } from './formats/tested.ts';
import type { Report } from '../schemas/report.ts';

const LEVELS = ['must', 'should', 'declared', 'own', 'run'] as const;

/**
 * The report as JUnit XML: a suite for each level and one for the run itself, a test case for each requirement.
 * Keeps to what the schemas of Ant, Surefire and Jenkins have in common.
 * @param out folder of the reports, for the replay lines
 */
export function junitXml(report: Report, out: string): string {
  const { suite, run } = report;
  const tests = testsOf(report, out);
  const suites = LEVELS.map((level) => tests.filter((test) => test.level === level))
    .filter((own) => own.length > 0)
    .map((own, id) => suiteLines(report, own, id));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name: suite.name, ...counts(tests), time: seconds(run.durationMs) })}>`,
    ...suites.flat(),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines(report: Report, tests: readonly Tested[], id: number): string[] {
  const { suite, target, run } = report;
  const told = {
    id,
    package: suite.name,
    name: `${suite.name} ${tests[0]!.level}`,
    // In UTC: the schemas know no zone.
    timestamp: run.startedAt.slice(0, 19),
    hostname: new URL(target.baseUrl).host,
    ...counts(tests),
    skipped: tests.filter(({ outcome }) => outcome === 'skipped').length,
    time: seconds(run.durationMs),
  };
  const beside = tests.filter(({ outcome, details }) => outcome !== 'failed' && details !== undefined);
  return [
    `  <testsuite ${attributes(told)}>`,
    '    <properties>',
    ...properties(report).map(([name, value]) => `      <property ${attributes({ name, value })}/>`),
    '    </properties>',
    ...tests.flatMap(caseLines),
    `    <system-out>${escape(beside.map(({ verdict, details }) => `[${verdict}] ${details}\n`).join('\n'))}</system-out>`,
    '    <system-err/>',
    '  </testsuite>',
  ];
}

const counts = (tests: readonly Tested[]): Readonly<Record<string, number>> => ({
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

function caseLines({ name, level, section, outcome, verdict, message, details }: Tested): string[] {
  const classname = section === undefined ? level : `${level}.section ${section}`;
  // Statements share their requests: none has a time of its own.
  const open = `    <testcase ${attributes({ name, classname, time: '0.000' })}`;
  const child = {
    passed: [],
    skipped: [`      <skipped ${attributes({ message })}/>`],
    error: [`      <error ${attributes({ message, type: verdict })}/>`],
    failed: [`      <failure ${attributes({ message, type: level })}>${escape(details ?? '')}</failure>`],
  }[outcome];
  return child.length === 0 ? [`${open}/>`] : [`${open}>`, ...child, '    </testcase>'];
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join(' ');

/** Text for XML 1.0: markup escaped; what its Char production forbids, or an eye misses, in words. */
const escape = (text: string): string =>
  text
    .split('\n')
    .map(printable)
    .join('\n')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
