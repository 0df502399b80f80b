import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cts } from './testing/command.ts';
import type { Ended } from './testing/command.ts';
import { hostileText } from './testing/hostile-text.ts';
import { startPlainService } from './testing/plain-service.ts';
import { at } from './testing/services.ts';
import { complaintsOf } from './testing/valid.ts';

const kinds = ['conforming', 'failing', 'inconclusive'] as const;
let runs: Readonly<Record<(typeof kinds)[number], Ended>>;

beforeAll(async () => {
  const [faulty, away] = await Promise.all([
    startPlainService({ echo: (name) => `${name}${hostileText}` }),
    startPlainService(),
  ]);
  await away.stop();
  const profile = join(mkdtempSync(join(tmpdir(), 'cts-profile-')), 'profile.json');
  writeFileSync(profile, JSON.stringify({ name: hostileText, answers: { 'customer.create.status': 418 } }));
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

const linesOf = (ended: Ended): { type: string }[] =>
  textOf(ended, 'evidence.ndjson')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string });
