import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { calculateSummary, validate } from 'ctrf';
import type { CTRFReport } from 'ctrf';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandResult } from '../selftest/command.ts';
import { complaintsOf, complaintsOfHar, complaintsOfJunit } from '../selftest/format-schemas.ts';
import { failed } from '../selftest/services.ts';
import { conformingRun, failingRun, inconclusiveRun } from '../selftest/shared-runs.ts';
import type { JobRun } from '../selftest/shared-runs.ts';

const kinds = ['conforming', 'failing', 'inconclusive'] as const;
let runs: Readonly<Record<(typeof kinds)[number], CommandResult>> & { readonly failing: JobRun };

beforeAll(async () => {
  const [conforming, failing, inconclusive] = await Promise.all([
    conformingRun(),
    failingRun(),
    inconclusiveRun(),
  ]);
  runs = { conforming, failing, inconclusive };
});

it('the reports that are tested here come from a run of each kind', () => {
  expect(kinds.map((kind) => runs[kind].code)).toEqual([0, 1, 3]);
});

const textOf = ({ out }: CommandResult, name: string): string => readFileSync(join(out, name), 'utf8');

describe('conformance.json', () => {
  it.each(kinds)(
    'of the %s run is as its JSON Schema says, without a member that it does not describe',
    (kind) => {
      const { report } = runs[kind];
      expect(complaintsOf('conformance.schema.json', [report], { closed: true })).toEqual([]);
    },
  );

  it('does not match its JSON Schema when it is corrupted', () => {
    const { report } = runs.failing;
    const [first, ...others] = report!.requirements;
    for (const [broken, complaint] of [
      [{ ...report, verdict: 'conform' }, '/verdict'],
      [{ ...report, schemaVersion: 2 }, '/schemaVersion'],
      [{ ...report, questions: undefined }, "required property 'questions'"],
      [{ ...report, requirements: [{ ...first, cases: '3' }, ...others] }, '/requirements/0/cases'],
      [{ ...report, requirements: [{ ...first, id: undefined }, ...others] }, '/requirements/0 '],
    ] as const) {
      const reported = complaintsOf('conformance.schema.json', [JSON.parse(JSON.stringify(broken))]);
      expect(reported.join()).toContain(complaint);
    }
  });
});

describe('evidence.ndjson', () => {
  it.each(kinds)('of the %s run has lines that match their JSON Schema', (kind) => {
    const lines = linesOf(runs[kind]);
    expect(complaintsOf('evidence.schema.json', lines)).toEqual([]);
  });

  it('does not match its JSON Schema when a line is corrupted', () => {
    const lines = linesOf(runs.failing);
    const types = ['run', 'exchange', 'observation', 'exploration', 'answer', 'end'];
    expect([...new Set(lines.map(({ type }) => type))]).toEqual(types);
    const exchange = lines.find(({ type }) => type === 'exchange')!;
    for (const broken of [
      {},
      { ...exchange, type: 'exchanges' },
      { ...exchange, number: 0 },
      { ...exchange, response: { status: '200', headers: {}, body: '' } },
      { ...lines[0], seed: undefined },
    ])
      expect(complaintsOf('evidence.schema.json', [JSON.parse(JSON.stringify(broken))])).not.toEqual([]);
  });
});

describe('junit.xml', () => {
  it.each(kinds)('of the %s run is accepted by a strict schema', async (kind) => {
    expect(await complaintsOfJunit(textOf(runs[kind], 'junit.xml'))).toEqual([]);
  });

  it('fails exactly when the run does not conform', () => {
    const reds = kinds.map((kind) => {
      const xml = textOf(runs[kind], 'junit.xml');
      return { failures: xml.match(/<failure /g)?.length ?? 0, errors: xml.match(/<error /g)?.length ?? 0 };
    });
    expect(reds[0]).toEqual({ failures: 0, errors: 0 });
    expect(reds[1]).toEqual({ failures: failed(runs.failing).length, errors: 0 });
    expect(reds[2]).toMatchObject({ failures: 0, errors: expect.any(Number) as number });
    expect(reds[2]!.errors).toBeGreaterThan(0);
  });

  it('names id, statement and reason of every failure, error and skipped test', () => {
    const failing = textOf(runs.failing, 'junit.xml');
    expect(failing).toMatch(
      /<testcase name="customer\.name\.echoed" classname="cts-conformance\.must">\n +<failure message="name differs from the submitted name\. Expected .*, got .*" type="fail">customer\.name\.echoed \(section 4\.1\)/,
    );
    expect(failing).toMatch(/<failure message="[^"]* profile declares\. Expected 418, got 200" type="fail">/);
    expect(textOf(runs.inconclusive, 'junit.xml')).toMatch(
      /name="run\.has\.verdict" .*>\n +<error message="inconclusive: 23 of 23 .* connection refused/,
    );
    expect(textOf(runs.conforming, 'junit.xml')).toMatch(
      /name="token\.life\.accepted" .*>\n +<skipped message="not declared; a profile tests it with/,
    );
  });

  it('gives tests names that stay the same in another run, and only the run a time', () => {
    const namesIn = (kind: (typeof kinds)[number]): string[] =>
      textOf(runs[kind], 'junit.xml').match(/<testcase name="[^"]*" classname="[^"]*"/g) ?? [];
    const [conforming, failing, inconclusive] = kinds.map(namesIn);
    expect(inconclusive).toEqual(conforming);
    // A declared answer is a test of its own.
    expect(failing).toEqual(expect.arrayContaining(conforming!));
    expect(conforming![0]).toBe('<testcase name="run.has.verdict" classname="cts-conformance.run"');
    expect(conforming!.join()).not.toMatch(/section|\.[\d.]+"/);
    const timed = textOf(runs.failing, 'junit.xml').match(/<[^>]* time="(?!0\.000)[\d.]+"/g) ?? [];
    expect(timed.map((tag) => /<(\w+) (?:.*? )?name="([^"]*)"/.exec(tag)!.slice(1))).toEqual([
      ['testsuites', 'cts-conformance'],
      ['testsuite', 'cts-conformance run'],
      ['testcase', 'run.has.verdict'],
    ]);
  });

  it.each([
    ['an attribute that is missing', / classname="[^"]*"/, ''],
    ['a suite without tests', /<testcase name="run\.has\.verdict"[^>]*\/>/, ''],
    ['a time stamp with a zone', /(timestamp="[^"]*)/, '$1Z'],
    ['an element out of order', /<properties>/, '<system-err/><properties>'],
    ['a count that is none', /tests="/, 'tests="-'],
    ['a skip without a message', /<skipped message="[^"]*"/, '<skipped'],
    ['markup that is not closed', /<\/failure>/, ''],
  ])('is rejected with %s', async (_, part, instead) => {
    const xml = textOf(runs.failing, 'junit.xml');
    expect(await complaintsOfJunit(xml.replace(part, instead))).not.toEqual([]);
  });
});

describe('summary.md', () => {
  it('is also the summary of a GitHub job', () => {
    expect(readFileSync(runs.failing.jobSummary, 'utf8')).toBe(`\n${textOf(runs.failing, 'summary.md')}`);
    expect(textOf(runs.failing, 'summary.md')).toMatch(/^## ❌ Does not conform\n/);
  });

  it("that the job can't accept is a line on the screen, and does not affect the verdict", () => {
    expect(runs.inconclusive.stdout).toContain('could not be appended to GITHUB_STEP_SUMMARY (EISDIR)');
    expect(runs.inconclusive.code).toBe(3);
  });
});

describe('a GitHub job', () => {
  it('has an annotation for each failure, and no other command, whatever the target sends', () => {
    const commands = runs.failing.stdout.split('\n').filter((line) => /^\s*::|##\w*\[/.test(line));
    const errors = commands.filter((line) => line.startsWith('::error title='));
    expect(errors).toHaveLength(failed(runs.failing).length);
    expect(errors[0]).toMatch(
      /^::error title=customer\.name\.echoed::name differs from the submitted name\. Expected /,
    );
    expect(commands.filter((line) => !/^::(?:error|warning) title=[a-z.]+::/.test(line))).toEqual([]);
  });

  it('is the only place with annotations', () => {
    expect(runs.conforming.stdout).not.toMatch(/^::/m);
  });
});

describe('badge.json', () => {
  it.each(kinds)('of the %s run has the format of shields.io', (kind) => {
    const badge = JSON.parse(textOf(runs[kind], 'badge.json')) as Record<string, unknown>;
    expect(badge).toMatchObject({ schemaVersion: 1, label: expect.any(String) as string });
    expect(badge['isError']).toBe(kind === 'conforming' ? undefined : true);
  });
});

describe('evidence.har', () => {
  it.each(['conforming', 'failing'] as const)(
    'of the %s run is an HTTP Archive, of all exchanges',
    (kind) => {
      const har = harOf(runs[kind]);
      expect(complaintsOfHar(har)).toEqual([]);
      const exchanges = linesOf(runs[kind]).filter(({ type }) => type === 'exchange');
      expect(har.log.entries).toHaveLength(exchanges.length);
    },
  );

  it('does not match its JSON Schema when it is corrupted', () => {
    const { log } = harOf(runs.conforming);
    const [first] = log.entries;
    for (const broken of [
      {},
      { log: { ...log, version: 1.2 } },
      { log: { ...log, entries: [{ ...first, time: '1' }] } },
    ])
      expect(complaintsOfHar(broken)).not.toEqual([]);
  });

  it('is only written on request', () => {
    expect(readdirSync(runs.conforming.out)).toEqual(expect.arrayContaining(['ctrf.json', 'evidence.har']));
    expect(readdirSync(runs.inconclusive.out)).not.toContain('evidence.har');
    expect(readdirSync(runs.inconclusive.out)).not.toContain('ctrf.json');
  });
});

describe('ctrf.json', () => {
  it.each(['conforming', 'failing'] as const)(
    'of the %s run is valid by the package of the format',
    (kind) => {
      const value: unknown = JSON.parse(textOf(runs[kind], 'ctrf.json'));
      expect(validate(value)).toMatchObject({ valid: true });
      const { summary, tests } = (value as CTRFReport).results;
      const { duration: _, suites: __, ...totals } = calculateSummary(tests, summary);
      expect(summary).toMatchObject(totals);
      expect(summary.failed).toBe(failed(runs[kind]).length);
    },
  );

  it('does not match with an unknown status', () => {
    const text = textOf(runs.failing, 'ctrf.json').replace('"status": "failed"', '"status": "error"');
    expect(validate(JSON.parse(text)).valid).toBe(false);
  });
});

interface Har {
  readonly log: { readonly entries: readonly object[] };
}

const harOf = (ended: CommandResult): Har => JSON.parse(textOf(ended, 'evidence.har')) as Har;

const linesOf = (ended: CommandResult): { type: string }[] =>
  textOf(ended, 'evidence.ndjson')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string });
