import { failureText } from '../requirements/failure-text.ts';
import { printable } from '../requirements/printable.ts';
import type { Report, ReportedRequirement } from './model.ts';

/**
 * The report as JUnit XML: a suite for each level, a test case for each requirement.
 * @param out folder of the reports, for the replay line
 */
export function junitXml(report: Report, out: string): string {
  const { suite, target, run, requirements } = report;
  const suites = (['must', 'should', 'declared'] as const).flatMap((level) => {
    const cases = requirements.filter((requirement) => requirement.level === level);
    if (cases.length === 0) return [];
    return [
      `  <testsuite name="${escape(`${suite.name} ${level}`)}" ${counts(cases, run.strict)} time="${seconds(run.durationMs)}" timestamp="${escape(run.startedAt)}" hostname="${escape(new URL(target.baseUrl).host)}">`,
      '    <properties>',
      ...properties(report).map(
        ([name, value]) => `      <property name="${name}" value="${escape(value)}"/>`,
      ),
      '    </properties>',
      ...cases.flatMap((requirement) => testCase(requirement, run.strict, out)),
      '  </testsuite>',
    ].join('\n');
  });
  const all = `name="${escape(suite.name)}" ${counts(requirements, run.strict)} time="${seconds(run.durationMs)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${all}>\n${suites.join('\n')}\n</testsuites>\n`;
}

const isFailure = ({ verdict }: ReportedRequirement, strict: boolean): boolean =>
  verdict === 'fail' || (strict && verdict === 'warn');
const isError = ({ verdict }: ReportedRequirement): boolean => verdict === 'inconclusive';
const isSkipped = ({ verdict }: ReportedRequirement): boolean => verdict === 'untested';

function counts(cases: readonly ReportedRequirement[], strict: boolean): string {
  const failures = cases.filter((requirement) => isFailure(requirement, strict)).length;
  const errors = cases.filter(isError).length;
  const skipped = cases.filter(isSkipped).length;
  return `tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
}

const properties = ({ target, run, verdict }: Report): [name: string, value: string][] => [
  ['target', target.baseUrl],
  ['verdict', verdict],
  ['seed', String(run.seed)],
  ['requests', String(run.requests)],
];

function testCase(requirement: ReportedRequirement, strict: boolean, out: string): string[] {
  const { id, level, statement, section, reason = '', verdict } = requirement;
  const open = `    <testcase name="${escape(`${id}: ${statement}`)}" classname="${escape(`${level}.section ${section}`)}"`;
  const text = (name: string, message: string, body: string): string[] => [
    `${open}>`,
    `      <${name} message="${escape(message)}">${escape(body)}</${name}>`,
    '    </testcase>',
  ];
  if (isFailure(requirement, strict)) {
    const got = requirement.counterexample?.actual ?? 'broken';
    return text(
      'failure',
      `expected ${requirement.counterexample?.expected ?? statement}, got ${got}`,
      failureText(requirement, out),
    );
  }
  if (isError(requirement)) return text('error', reason, reason);
  if (isSkipped(requirement))
    return [`${open}>`, `      <skipped message="${escape(reason)}"/>`, '    </testcase>'];
  if (verdict === 'warn') {
    return [
      `${open}>`,
      `      <system-out>${escape(failureText(requirement, out))}</system-out>`,
      '    </testcase>',
    ];
  }
  return [`${open}/>`];
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** Text for XML 1.0: markup escaped; what its Char production forbids, or an eye misses, in words. */
function escape(text: string): string {
  return text
    .split('\n')
    .map(printable)
    .join('\n')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
