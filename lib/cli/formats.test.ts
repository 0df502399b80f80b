import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cts } from './testing/command.ts';
import type { Ended } from './testing/command.ts';
import { hostileName } from './testing/hostile-name.ts';
import { startPlainService } from './testing/plain-service.ts';
import { at, failed } from './testing/services.ts';
import { complaintsOf, complaintsOfJunit } from './testing/valid.ts';

const kinds = ['conforming', 'failing', 'inconclusive'] as const;
let runs: Readonly<Record<(typeof kinds)[number], Ended>>;

beforeAll(async () => {
  const [faulty, away] = await Promise.all([
    startPlainService({ echo: (name) => `${name}${hostileName}` }),
    startPlainService(),
  ]);
  await away.stop();
  const profile = join(mkdtempSync(join(tmpdir(), 'cts-profile-')), 'profile.json');
  writeFileSync(profile, JSON.stringify({ name: hostileName, answers: { 'customer.create.status': 418 } }));
  const [conforming, failing, inconclusive] = await Promise.all([
    cts(['run']),
    cts(['run', '--profile', profile], at(faulty)),
    cts(['run'], at(away)),
  ]);
  await faulty.stop();
  runs = { conforming, failing, inconclusive };
});

it('the reports that are tested here come from a run of each kind', () => {
  expect(kinds.map((kind) => runs[kind].code)).toEqual([0, 1, 3]);
});

const textOf = ({ out }: Ended, name: string): string => readFileSync(join(out, name), 'utf8');

describe('conformance.json', () => {
  it.each(kinds)(
    'of a %s run is as its JSON Schema says, without a member that it does not describe',
    (kind) => {
      const { report } = runs[kind];
      expect(complaintsOf('conformance.schema.json', [report], { closed: true })).toEqual([]);
    },
  );

  it('is refused by its JSON Schema when it is broken', () => {
    const { report } = runs.failing;
    const [first, ...others] = report!.requirements;
    for (const [broken, complaint] of [
      [{ ...report, verdict: 'conform' }, '/verdict'],
      [{ ...report, schemaVersion: 2 }, '/schemaVersion'],
      [{ ...report, questions: undefined }, "required property 'questions'"],
      [{ ...report, requirements: [{ ...first, cases: '3' }, ...others] }, '/requirements/0/cases'],
      [{ ...report, requirements: [{ ...first, id: undefined }, ...others] }, '/requirements/0 '],
    ] as const) {
      const told = complaintsOf('conformance.schema.json', [JSON.parse(JSON.stringify(broken))]);
      expect(told.join()).toContain(complaint);
    }
  });
});

describe('evidence.ndjson', () => {
  it.each(kinds)('of a %s run has lines as their JSON Schema says', (kind) => {
    const lines = linesOf(runs[kind]);
    expect(complaintsOf('evidence.schema.json', lines)).toEqual([]);
  });

  it('is refused by its JSON Schema when a line is broken', () => {
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
  it.each(kinds)('of a %s run is accepted by a strict schema', async (kind) => {
    expect(await complaintsOfJunit(textOf(runs[kind], 'junit.xml'))).toEqual([]);
  });

  it('is red exactly when the run does not conform', () => {
    const reds = kinds.map((kind) => {
      const xml = textOf(runs[kind], 'junit.xml');
      return { failures: xml.match(/<failure /g)?.length ?? 0, errors: xml.match(/<error /g)?.length ?? 0 };
    });
    expect(reds[0]).toEqual({ failures: 0, errors: 0 });
    expect(reds[1]).toEqual({ failures: failed(runs.failing).length, errors: 0 });
    expect(reds[2]).toMatchObject({ failures: 0, errors: expect.any(Number) as number });
    expect(reds[2]!.errors).toBeGreaterThan(0);
  });

  it('names id and statement, and says why: of a failure, of an error, of what was skipped', () => {
    const failing = textOf(runs.failing, 'junit.xml');
    expect(failing).toMatch(
      /<testcase name="customer\.name\.echoed: name equals the submitted name\." .*>\n +<failure message="expected .*, got .*" type="must">customer\.name\.echoed \(section 4\.1\)/,
    );
    expect(failing).toMatch(/<failure message="expected 418, got 200" type="declared">/);
    expect(textOf(runs.inconclusive, 'junit.xml')).toMatch(
      /name="verdict: the run came to a verdict" .*>\n +<error message="inconclusive: 23 of 23 .* connection refused/,
    );
    expect(textOf(runs.conforming, 'junit.xml')).toMatch(
      /name="token\.life\.accepted: .*>\n +<skipped message="not declared; a profile tests it with/,
    );
  });

  it.each([
    ['an attribute that is missing', / time="0\.000"/, ''],
    ['a time stamp with a zone', /(timestamp="[^"]*)/, '$1Z'],
    ['an element out of order', /<properties>/, '<system-err/><properties>'],
    ['a count that is none', /tests="/, 'tests="-'],
    ['a skip without a message', /<skipped message="[^"]*"/, '<skipped'],
    ['markup that is not closed', /<\/failure>/, ''],
  ])('is refused with %s', async (_, part, instead) => {
    const xml = textOf(runs.failing, 'junit.xml');
    expect(await complaintsOfJunit(xml.replace(part, instead))).not.toEqual([]);
  });
});

const linesOf = (ended: Ended): { type: string }[] =>
  textOf(ended, 'evidence.ndjson')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string });
