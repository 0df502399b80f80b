import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvidenceLine } from '../../schemas/evidence.ts';
import { direct } from '../../settings/route.ts';
import { NoReply, Stopped } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import { createRedactor } from '../../target/output/redactor.ts';
import { evidenceOf } from './evidence.ts';
import { writeLines } from './lines.ts';
import { Inconclusive } from '../observation.ts';
import type { Exploration, Observation, Summary } from '../observation.ts';
import { readRecorded } from './recorded.ts';
import { requirement } from '../requirement.ts';
import type { Requirement } from '../requirement.ts';
import type { Run } from '../scenario.ts';
import { scenario } from '../scenario.ts';
import { fileWith, newFolder } from '../../selftest/files.ts';

const NAME = 'wide customers';

/** @param filler number of irrelevant characters in the response */
function observation(number: number, filler = 0): Observation {
  const json = { id: `cus_${number}`, filler: 'x'.repeat(filler) };
  return {
    case: { scenario: NAME, index: number, category: 'combined', input: { name: 'Ada' } },
    accepted: true,
    exchange: {
      number,
      queue: NAME,
      request: { method: 'POST', path: '/v1/customers', credential: undefined, fields: [], body: undefined },
      url: 'http://localhost/v1/customers',
      route: direct,
      reply: { status: 201, fields: {}, text: JSON.stringify(json), json, notJson: undefined, utf8: true },
      troubles: [],
      startedAt: 1,
      firstByte: 2,
      duration: 3,
      answeredAt: 0,
      inFlight: 4,
    },
  };
}

const explorationOf = (observations: readonly Observation[]): Exploration<Observation> => ({
  observations,
  summaries: [],
  lost: [],
  stopped: undefined,
});

interface Recording {
  readonly explored: Readonly<Record<string, Exploration<Observation> | Error>>;
  /** Exchanges outside of observations. */
  readonly exchanges?: readonly Exchange[];
  readonly requirements?: readonly Requirement[];
  readonly secrets?: readonly string[];
}

/** What is read back of the evidence of a run, and its lines. */
async function readBack({ explored, exchanges = [], requirements = [], secrets = [] }: Recording) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.hide(secret, 'key');
  const run = {
    settings: {},
    target: { redactor },
    exchanges,
    explored: async () => Object.entries(explored).map(([name, exploration]) => [{ name }, exploration]),
    isDueToLimit: () => false,
    isClientRejection: () => false,
  } as unknown as Run;
  const lines: EvidenceLine[] = [];
  const path = join(newFolder(), 'evidence.ndjson');
  await writeLines(
    path,
    (async function* () {
      for await (const line of evidenceOf(run, requirements)) {
        lines.push(line);
        yield line;
      }
    })(),
  );
  return {
    recorded: readRecorded(path, direct),
    lines,
    characters: JSON.stringify(lines).length,
    longest: Math.max(...lines.map((line) => JSON.stringify(line).length)),
  };
}

describe('the evidence of a run', () => {
  it.each([
    ['{"type":"pra', 'line 1 is not JSON; the file seems to be cut off'],
    ['verdict: fine\n', 'line 1 is not JSON; expected the evidence.ndjson of a run'],
  ])('is not %j', (text, message) => {
    expect(() => readRecorded(fileWith(text), direct)).toThrow(message);
  });

  it('restores observations, lost cases and failures', async () => {
    const { request } = observation(1).exchange;
    const { recorded } = await readBack({
      explored: {
        [NAME]: {
          ...explorationOf([observation(1)]),
          lost: [
            { category: 'html', error: new NoReply(request, [{ kind: 'reset', detail: 'closed' }]) },
            { category: 'plain', error: new Inconclusive('too soon', 'optional') },
          ],
          stopped: 'enough',
        },
        rejected: new Inconclusive('no token was issued'),
        late: new Stopped('spent', 'budget'),
      },
    });
    const back = recorded.explorationOf(NAME)!;
    expect(back.observations).toMatchObject([
      { accepted: true, case: { input: { name: 'Ada' } }, exchange: { reply: { json: { id: 'cus_1' } } } },
    ]);
    expect(back.observations[0]!.judgedBefore).toBeUndefined();
    expect(back.lost[0]).toMatchObject({ category: 'html', error: { troubles: [{ kind: 'reset' }] } });
    expect(back.lost[1]).toMatchObject({
      category: 'plain',
      error: { message: 'too soon', kind: 'optional' },
    });
    expect(back.stopped).toBe('enough');
    expect(() => recorded.explorationOf('rejected')).toThrow(Inconclusive);
    expect(() => recorded.explorationOf('late')).toThrow(Stopped);
    expect(recorded.explorationOf('another')).toBeUndefined();
  });

  it('has each exchange once, including controls and those without an observation', async () => {
    const [control, own, probe] = [observation(2).exchange, observation(3), observation(1).exchange];
    const { recorded, lines } = await readBack({
      explored: { [NAME]: explorationOf([{ ...own, control }]) },
      exchanges: [own.exchange, probe],
    });
    const numbers = lines.flatMap((line) => (line.type === 'exchange' ? [line.number] : []));
    expect(numbers).toEqual([1, 2, 3]);
    const [back] = recorded.explorationOf(NAME)!.observations;
    expect([back!.exchange.number, back!.control!.number]).toEqual([3, 2]);
  });

  it('contains no secret', async () => {
    const secret = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
    const one = observation(1);
    const reply = { ...one.exchange.reply, text: JSON.stringify({ secret }), json: { secret } };
    const summary: Summary = {
      scenario: NAME,
      category: 'combined',
      accepted: true,
      status: 201,
      judged: [],
      breaks: [],
      ids: [[2, secret]],
      inFlight: 1,
    };
    const { lines } = await readBack({
      explored: {
        [NAME]: {
          observations: [{ ...one, exchange: { ...one.exchange, reply } }],
          summaries: [summary],
          lost: [{ category: 'plain', error: new Inconclusive(`got ${secret}`) }],
          stopped: `at ${secret}`,
        },
        rejected: new Inconclusive(`got ${secret}`),
      },
      secrets: [secret],
    });
    expect(lines.map(({ type }) => type)).toEqual([
      'exchange',
      'observation',
      'summary',
      'exploration',
      'exploration',
    ]);
    for (const line of lines.filter(({ type }) => type !== 'observation'))
      expect(JSON.stringify(line)).toContain('[key]');
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it('restores summaries, in several short lines', async () => {
    const alike = { scenario: NAME, category: 'combined', judged: ['customer.id.new'], breaks: [] };
    const summaries: Summary[] = [
      {
        ...alike,
        accepted: true,
        status: 201,
        inFlight: 8,
        ids: Array.from({ length: 2500 }, (_, number) => [number, `cus_${number}`]),
      },
      { ...alike, accepted: false, status: 422, ids: [[2500, null]], inFlight: 1 },
    ];
    const { recorded, longest } = await readBack({
      explored: { [NAME]: { ...explorationOf([observation(1)]), summaries } },
    });
    expect(longest).toBeLessThan(30_000);
    const back = recorded.explorationOf(NAME)!.summaries;
    const parts = [
      summaries[0]!.ids.slice(0, 1000),
      summaries[0]!.ids.slice(1000, 2000),
      summaries[0]!.ids.slice(2000),
    ];
    expect(back).toMatchObject([...parts.map((ids) => ({ ...summaries[0], ids })), summaries[1]]);
  });

  it('is bounded, and restores what is broken even for a truncated body', async () => {
    const wide = scenario<unknown>({
      name: NAME,
      shrinking: fc.anything(),
      cases: () => [],
      send: () => () => Promise.reject(new Inconclusive('nothing is sent here')),
    });
    const isOdd = ({ exchange }: Observation): boolean => exchange.number % 2 === 1;
    const words = { level: 'must', section: '2', statement: 'It is odd.' } as const;
    const violation = { expected: 'an odd number', actual: 'another' };
    const requirements: Requirement[] = [
      requirement({
        ...words,
        id: 'number.odd',
        over: [wide],
        check: (one) => (isOdd(one) ? undefined : violation),
      }),
      requirement({ ...words, id: 'number.even', over: [wide], only: isOdd, check: () => undefined }),
      requirement({
        ...words,
        id: 'number.other',
        over: [{ ...wide, name: 'other' }],
        check: () => violation,
      }),
    ];
    const many = Array.from({ length: 600 }, (_, at) => observation(at + 1, 20_000));
    const { recorded, characters } = await readBack({
      explored: { [NAME]: explorationOf(many) },
      requirements,
    });
    expect(characters).toBeLessThan(10 * 1024 * 1024);
    const { observations } = recorded.explorationOf(NAME)!;
    expect(observations).toHaveLength(600);
    expect(observations[0]!.judgedBefore).toBeUndefined();
    expect(observations.at(-1)).toMatchObject({
      judgedBefore: { judged: ['number.odd'], breaks: ['number.odd'] },
      exchange: { reply: { json: { id: 'cus_600' } } },
    });
    expect(observations.at(-2)!.judgedBefore).toEqual({ judged: ['number.odd', 'number.even'], breaks: [] });
  });
});
