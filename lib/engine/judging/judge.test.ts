import type { Finding } from '../../schemas/report.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { direct } from '../../settings/route.ts';
import { NoReply } from '../../target/exchange.ts';
import { createRedactor } from '../../target/output/redactor.ts';
import { judge } from './judge.ts';
import { judgedBy } from '../requirement.ts';
import { Inconclusive } from '../observation.ts';
import type { Exploration, JudgedBy, Observation, Summary } from '../observation.ts';
import type { Requirement } from '../requirement.ts';
import type { Run } from '../scenario.ts';
import { scenario } from '../scenario.ts';

const wide = scenario<unknown>({
  name: 'wide',
  shrinking: fc.anything(),
  cases: () => [],
  send: () => () => Promise.reject(new Inconclusive('nothing is sent here')),
});

/** Has no cases. */
const other = scenario<unknown>({ ...wide, name: 'other' });

const settings = { concurrency: 1, seed: 1 } as Run['settings'];

const GONE = (): Promise<Observation> => Promise.reject(new Inconclusive('it is not there any more'));

/** Judges by an exploration of `wide`. @param repeat sends a case again; default: none can be repeated */
function judgeBy(
  requirement: Requirement,
  exploration: Partial<Exploration<Observation>>,
  repeat = GONE,
): Promise<Finding> {
  const run = {
    settings,
    target: { redactor: createRedactor(), send: GONE },
    explore: (one: unknown) =>
      Promise.resolve({
        observations: [],
        summaries: [],
        lost: [],
        stopped: undefined,
        ...(one === wide && exploration),
      }),
    repeat,
    isDueToLimit: () => false,
    isClientRejection: () => false,
  } as unknown as Run;
  return judge(run, requirement);
}

const whole = (
  number: number,
  fields: Readonly<Record<string, string>>,
  json: object = {},
  judgedBefore?: JudgedBy,
): Observation => ({
  case: { scenario: 'wide', index: number, category: 'plain', input: {} },
  accepted: true,
  ...(judgedBefore && { judgedBefore }),
  exchange: {
    number,
    queue: 'wide',
    request: { method: 'POST', path: '/', credential: undefined, fields: [], body: undefined },
    url: 'http://localhost/',
    route: direct,
    reply: { status: 201, fields, text: '{}', json, notJson: undefined, utf8: true },
    troubles: [],
    startedAt: 0,
    firstByte: 0,
    duration: 0,
    answeredAt: 0,
    inFlight: 1,
  },
});

/** An observation of a response that ended too early. */
const withoutResult = (observation: Observation, notJson: string): Observation => ({
  ...observation,
  accepted: false,
  exchange: {
    ...observation.exchange,
    reply: { ...observation.exchange.reply, text: '', json: undefined, notJson, isIncomplete: true },
  },
});

/** Observations of which no more than their ids is left, numbered from a number on. */
const summary = (number: number, ids: readonly (string | null)[], { judged, breaks }: JudgedBy): Summary => ({
  scenario: 'wide',
  category: 'plain',
  accepted: true,
  status: 201,
  judged,
  breaks,
  inFlight: 2,
  ids: ids.map((id, at) => [number + at, id]),
});

it('the likely cause of a failure is looked for in each exchange once', async () => {
  const numbers: number[] = [];
  const broken: Requirement = {
    id: 'a.location',
    level: 'must',
    section: '1',
    statement: 'It has a location.',
    over: [wide],
    check: (one) => (locationOf(one) === undefined ? { expected: 'one', actual: 'none' } : undefined),
    likelyCause: (observations: readonly Observation[]) =>
      void numbers.push(...observations.map(({ exchange }) => exchange.number)),
  };
  await judgeBy(broken, { observations: [whole(1, {}), whole(2, {}), whole(3, { location: '/' })] });
  expect(numbers).toEqual([1, 2, 3]);
});

it.each([
  ['passes once when it is repeated', [whole(3, { location: '/ok' }), whole(4, {})], 'intermittent'],
  ['fails again each time', [whole(3, {}), whole(4, {})], undefined],
])('a failure that %s may be intermittent', async (_, again, cause) => {
  const check: Requirement['check'] = (one) =>
    locationOf(one) === undefined ? { expected: 'one', actual: 'none' } : undefined;
  const required: Requirement = { ...location, only: () => true, check };
  const observations = [whole(1, {}), whole(2, {}), whole(5, { location: '/ok' })];
  const finding = await judgeBy(required, { observations }, () => Promise.resolve(again.shift()!));
  expect(finding.cause?.id).toBe(cause);
});

it('a failure by pages alone has the cause that something in front of the service has answered', async () => {
  const causeWith = async (level: Requirement['level'], ...types: readonly string[]) => {
    const observations = types.map((type, at): Observation => {
      const { exchange, ...one } = whole(at + 1, { 'content-type': type });
      const text = type === 'text/html' ? '<html></html>' : 'no';
      const reply = { ...exchange.reply, status: 403, text, json: undefined };
      return { ...one, accepted: false, exchange: { ...exchange, reply } };
    });
    const required: Requirement = {
      ...location,
      level,
      only: () => true,
      check: () => ({ expected: '', actual: '' }),
    };
    return (await judgeBy(required, { observations })).cause?.id;
  };
  expect(await causeWith('must', 'text/html', 'text/html')).toBe('page');
  expect(await causeWith('must', 'text/html', 'application/json')).toBeUndefined();
  // Such as a 405 without Allow, from the service itself.
  expect(await causeWith('should', 'text/html', 'text/html')).toBeUndefined();
});

const locationOf = ({ exchange }: Observation): string | undefined => exchange.reply.fields['location'];

const ID = 'http.location';
const HOLDS: JudgedBy = { judged: [ID], breaks: [] };
const BREAKS: JudgedBy = { judged: [ID], breaks: [ID] };

/** About a field: whether a response had one can't be known from a summary. */
const location: Requirement = {
  id: ID,
  level: 'should',
  section: '4',
  statement: 'It is /ok.',
  over: [wide],
  only: (one) => locationOf(one) !== undefined,
  check: (one) => (locationOf(one) === '/ok' ? undefined : { expected: '/ok', actual: 'another' }),
  shrinking: null,
};

describe('failed exchanges of which only summaries are left', () => {
  it('are judged, however many there are', async () => {
    const ids = Array.from({ length: 150_000 }, () => null);
    const finding = await judgeBy(location, { summaries: [summary(7, ids, BREAKS)] });
    expect(finding).toMatchObject({ verdict: 'warn', broken: 150_000, foundAfter: 7 });
  });
});

describe('the example of a failure that is not made smaller', () => {
  const sentTo = (number: number, path: string, length: number): Observation => {
    const one = whole(number, { location: '/no' });
    const request = { ...one.exchange.request, path, body: Buffer.alloc(length) };
    return { ...one, exchange: { ...one.exchange, request } };
  };

  it.each([
    ['a request that is much shorter', sentTo(2, '/v2/tokens', 40), 2],
    ['no request to an odd path', sentTo(2, '/public/../v2/tokens', 40), 1],
  ])('is %s', async (_, other, expected) => {
    const { counterexample } = await judgeBy(location, {
      observations: [sentTo(1, '/v2/tokens', 80), other],
    });
    expect(counterexample!.exchanges.map(({ number }) => number)).toEqual([expected]);
  });
});

describe('compared exchanges', () => {
  const idOf = ({ exchange }: Observation): unknown => (exchange.reply.json as { id?: unknown }).id;
  const newId = (comparesIds: boolean, twice = 'cus_a'): Requirement => ({
    id: 'customer.id.new',
    level: 'must',
    section: '2',
    statement: 'Each id is new.',
    over: [wide],
    only: (one) => idOf(one) !== undefined,
    comparesIds,
    compare: (observations, summarised = []) => {
      const [first, second] = [
        ...summarised.filter(([, id]) => id === twice).map(([number]) => number),
        ...observations.filter((one) => idOf(one) === twice),
      ];
      return first && second && { first, second, violation: { expected: 'another', actual: twice } };
    },
  });
  const judged = { judged: ['customer.id.new'], breaks: [] };
  const exploration = {
    observations: [whole(1, {}, { id: 'cus_b' })],
    summaries: [
      summary(2, ['cus_a', 'cus_b', 'cus_a'], judged),
      summary(5, [null], { judged: [], breaks: [] }),
    ],
  };

  it('include the ids in summaries, if a requirement compares ids', async () => {
    const found = await judgeBy(newId(true), exploration);
    expect(found).toMatchObject({ verdict: 'fail', cases: 4, accepted: 4, broken: 1, foundAfter: 4 });
    expect(found.counterexample).toBeUndefined();
    expect(found.reason).toBe('expected another; exchanges 2 and 4 have cus_a; neither was kept');
  });

  it('are reported as far as they were kept', async () => {
    const { counterexample } = await judgeBy(newId(true, 'cus_b'), exploration);
    expect(counterexample!.exchanges.map(({ number }) => number)).toEqual([1]);
    expect(counterexample!.expected).toBe('another; exchange 3, which was not kept, has it');
    expect(counterexample!.reproduced).toBe('0/0');
  });

  it('exclude summaries, if a requirement needs more than ids', async () => {
    expect(await judgeBy(newId(false), exploration)).toMatchObject({ verdict: 'pass', cases: 1 });
  });
});

describe('a single exchange', () => {
  it('counts as it was judged on arrival, even if only a summary is left', async () => {
    const found = await judgeBy(location, {
      observations: [whole(1, { location: '/ok' }), whole(5, { location: '/bad' })],
      summaries: [
        summary(6, [null, null], { judged: [], breaks: [] }),
        summary(8, [null], HOLDS),
        summary(3, [null, null], BREAKS),
      ],
    });
    expect(found).toMatchObject({
      verdict: 'warn',
      cases: 5,
      accepted: 5,
      broken: 3,
      inFlight: 2,
      foundAfter: 3,
      counterexample: { expected: '/ok', actual: 'another' },
    });
  });

  it('is reported without its response, if that was not kept', async () => {
    const truncated = await judgeBy(location, { observations: [whole(7, {}, {}, BREAKS)] });
    expect(truncated.broken).toBe(1);
    expect(truncated.counterexample!.actual).toMatch(/a response that is truncated in the evidence$/);
    const none = await judgeBy(location, { summaries: [summary(7, [null], BREAKS)] });
    expect(none).toMatchObject({
      broken: 1,
      foundAfter: 7,
      reason: 'the failed exchanges were not kept',
    });
    expect(none.counterexample).toBeUndefined();
  });

  it('is judged by its record, if its response was truncated', async () => {
    const observations = [
      whole(1, { location: '/bad' }, {}, HOLDS),
      whole(2, { location: '/bad' }, {}, { judged: [], breaks: [] }),
    ];
    expect(await judgeBy(location, { observations })).toMatchObject({ verdict: 'pass', cases: 1 });
  });

  it.each([
    ['must', 'fail'],
    ['declared', 'fail'],
    ['should', 'warn'],
  ] as const)('that breaks a requirement of the level %s is a %s', async (level, verdict) => {
    const observations = [whole(1, { location: '/bad' })];
    expect(await judgeBy({ ...location, level }, { observations })).toMatchObject({ verdict, broken: 1 });
  });
});

describe('a requirement without a verdict', () => {
  it.each<[reason: string, exploration: Partial<Exploration<Observation>>]>([
    ['the target accepted no request that could show it', {}],
    ['no response was of the kind that it judges', { observations: [whole(1, {})] }],
    [
      'no 2xx response carries a result, such as exchange 3',
      { observations: [{ ...whole(3, {}), accepted: false }] },
    ],
    [
      'no 2xx response carries a result, such as exchange 3: it ended after 4 of 9 bytes',
      { observations: [withoutResult(whole(3, {}), 'it ended after 4 of 9 bytes')] },
    ],
    ['the budget was spent', { stopped: 'the budget was spent' }],
  ])('is untested: %s', async (reason, exploration) => {
    expect(await judgeBy(location, exploration)).toMatchObject({ verdict: 'untested', reason, cases: 0 });
  });

  it('is inconclusive if no case was answered, and optional if that needs more than the run has', async () => {
    const rejected = new Inconclusive('no token was issued');
    expect(await judgeBy(location, { lost: [{ category: 'any', error: rejected }] })).toMatchObject({
      verdict: 'inconclusive',
      reason: 'no token was issued',
    });
    const found = await judgeBy(location, {
      lost: [{ category: 'any', error: new Inconclusive('it is too early', 'optional') }],
    });
    expect(found).toMatchObject({ verdict: 'inconclusive', optional: true });
  });

  it('passes with a note of missing cases, if some were answered', async () => {
    const { verdict, reason } = await judgeBy(
      { ...location, note: (observations) => `${observations.length} of them` },
      {
        observations: [whole(1, { location: '/ok' }), whole(2, {})],
        lost: [{ category: 'any', error: new Inconclusive('rejected') }],
      },
    );
    expect(verdict).toBe('pass');
    expect(reason).toBe('1 of them; 1 more without a response, or without an accepted control');
  });

  it('has no note of missing cases of other rules, where several share their scenarios', async () => {
    const rejections = { category: 'any', required: wide, valid: other };
    const ofOther = { category: 'other', error: new Inconclusive('rejected') };
    const found = await judgeBy(
      { ...location, rejections },
      { observations: [whole(1, { location: '/ok' })], lost: [ofOther] },
    );
    expect(found).toMatchObject({ verdict: 'pass' });
    expect(found.reason).toBeUndefined();
  });

  it('is inconclusive if most of the first rejections came too late', async () => {
    const requirement = {
      ...location,
      rejections: { category: 'plain', required: wide, valid: other },
    };
    const answered = [whole(1, { location: '/ok' }), whole(2, { location: '/ok' })];
    const error = new NoReply(answered[0]!.exchange.request, [
      { kind: 'timeout', detail: 'no complete response' },
    ]);
    const late = { category: 'plain', error };
    const verdictWith = async (...lost: (typeof late)[]): Promise<string> =>
      (await judgeBy(requirement, { observations: answered, lost })).verdict;
    expect(await verdictWith(late, late)).toBe('pass');
    expect(await verdictWith(late, late, late)).toBe('inconclusive');
    expect(await verdictWith(late, late, { ...late, category: 'another' })).toBe('pass');
  });

  it.each([
    ['is inconclusive if valid requests get the same rejection', 507, wide, 'inconclusive'],
    ['passes if they get another one', 507, other, 'pass'],
    ['passes if the right key is rejected with 401, as a wrong one is', 401, wide, 'pass'],
  ] as const)('%s', async (_, status, valid, verdict) => {
    const rejected = [1, 2, 3].map((number): Observation => {
      const { exchange, ...one } = whole(number, { location: '/ok' });
      return { ...one, accepted: false, exchange: { ...exchange, reply: { ...exchange.reply, status } } };
    });
    const rejections = { category: 'plain', required: wide, valid };
    const found = await judgeBy({ ...location, rejections }, { observations: rejected });
    expect(found.verdict).toBe(verdict);
  });

  it.each([
    ['any key is rejected, as valid requests get the same rejection', 500, wide, 'the right key just as'],
    ['wrong keys are not checked, as valid requests get another response', 500, other, 'stops checking'],
    ['wrong keys are not checked, as a rate limit may be for them alone', 429, wide, 'stops checking'],
  ] as const)('is inconclusive because %s', async (_, status, valid, reason) => {
    const { exchange, ...one } = whole(1, { location: '/ok' });
    const rejected = {
      ...one,
      accepted: false,
      rejectsClient: true as const,
      exchange: { ...exchange, reply: { ...exchange.reply, status } },
    };
    const rejections = { category: 'plain', required: wide, valid };
    const found = await judgeBy({ ...location, rejections }, { observations: [rejected] });
    expect(found.verdict).toBe('inconclusive');
    expect(found.reason).toContain(reason);
  });

  it('is inconclusive if most of all rejections came too late, not if their number is limited', async () => {
    const requirement = {
      ...location,
      over: [wide, other],
      rejections: { category: 'plain', required: other, valid: other },
    };
    const answered = [whole(1, { location: '/ok' }), whole(2, { location: '/ok' })];
    const late = new NoReply(answered[0]!.exchange.request, [{ kind: 'timeout', detail: 'too late' }]);
    const verdictWith = async (...errors: (NoReply | Inconclusive)[]): Promise<string> => {
      const lost = errors.map((error) => ({ category: 'plain', error }));
      return (await judgeBy(requirement, { observations: answered, lost })).verdict;
    };
    const notSent = new Inconclusive('not sent', 'unanswered');
    const limited = new Inconclusive('too many wrong keys');
    expect(await verdictWith(late, notSent)).toBe('pass');
    expect(await verdictWith(late, late, late)).toBe('inconclusive');
    expect(await verdictWith(late, notSent, notSent)).toBe('inconclusive');
    expect(await verdictWith(late, limited, limited)).toBe('pass');
  });

  it('is inconclusive if it was cut short, unless a case failed', async () => {
    const passing = [whole(1, { location: '/ok' })];
    expect(await judgeBy(location, { observations: passing, stopped: 'spent' })).toMatchObject({
      verdict: 'inconclusive',
      reason: 'spent',
      cases: 1,
    });
    const failing = [...passing, whole(2, {})];
    const found = await judgeBy(
      { ...location, only: () => true },
      { observations: failing, stopped: 'spent' },
    );
    expect(found.verdict).not.toBe('inconclusive');
  });
});

describe('a requirement that rests on another', () => {
  const isRed = ({ exchange }: Observation): boolean => 'red' in exchange.reply.fields;
  const red: Requirement = {
    id: 'http.red',
    level: 'must',
    section: '4',
    statement: 'It is red.',
    over: [wide],
    check: (one) => (isRed(one) ? undefined : { expected: 'red', actual: 'another' }),
  };
  const resting: Requirement = { ...location, level: 'must', restsOn: [red] };
  const run = { settings, isClientRejection: () => false };

  it('does not judge what breaks the other one', async () => {
    const observations = [whole(1, { location: '/bad' }), whole(2, { location: '/ok', red: '' })];
    expect(await judgeBy(resting, { observations })).toMatchObject({ verdict: 'pass', cases: 1 });
    expect(judgedBy(run, [red, resting], observations[0]!)).toEqual({
      judged: ['http.red'],
      breaks: ['http.red'],
    });
    expect(judgedBy(run, [red, resting], observations[1]!)).toEqual({
      judged: ['http.red', ID],
      breaks: [],
    });
  });

  it('is not judged, if every response breaks the other one', async () => {
    expect(await judgeBy(resting, { observations: [whole(1, { location: '/bad' })] })).toMatchObject({
      verdict: 'untested',
      cases: 0,
      reason: 'not judged: every accepted request fails http.red',
    });
  });

  it('is not judged then, even if the responses were truncated', async () => {
    const observations = [whole(1, {}, {}, { judged: ['http.red'], breaks: ['http.red'] })];
    expect(await judgeBy({ ...resting, only: () => true }, { observations })).toMatchObject({
      reason: 'not judged: every accepted request fails http.red',
    });
  });

  it('judges no scenario that is not its own', () => {
    const one = whole(1, {});
    const other = { ...one, case: { ...one.case, scenario: 'plain' } };
    expect(judgedBy(run, [red], other)).toEqual({ judged: [], breaks: [] });
  });
});

describe('silence', () => {
  const { request } = whole(1, {}).exchange;
  const silent = new NoReply({ ...request, body: Buffer.from('{"name":"Ada"}') }, [
    { kind: 'reset', detail: 'closed' },
  ]);
  const answered = [whole(1, { location: '/ok' })];

  it('breaks a requirement about it, if other cases are answered', async () => {
    const requirement = { ...location, unanswered: { in: [wide] } };
    const found = await judgeBy(requirement, {
      observations: answered,
      lost: [{ category: 'any', error: silent }],
    });
    expect(found).toMatchObject({ verdict: 'warn', broken: 1 });
    expect(found.reason).toContain('{"name":"Ada"}');
    for (const exploration of [
      { lost: [{ category: 'any', error: silent }] },
      { observations: answered, lost: [{ category: 'any', error: silent }], stopped: 'the target is away' },
      { observations: answered, lost: [{ category: 'any', error: new Inconclusive('rejected') }] },
    ])
      expect((await judgeBy(requirement, exploration)).broken).toBe(0);
  });

  it('is none where the response was too long to be read', async () => {
    const oversized = new NoReply(request, [{ kind: 'oversized', detail: 'it is longer than 9 bytes' }]);
    const found = await judgeBy(
      { ...location, unanswered: { in: [wide] } },
      { observations: answered, lost: [{ category: 'any', error: oversized }] },
    );
    expect(found).toMatchObject({ verdict: 'inconclusive', broken: 0 });
    expect(found.reason).toContain('longer than 9 bytes');
  });

  it('is a rejection, if all cases of a category end so that may', async () => {
    const rejections = { category: 'wrong key', required: wide, valid: other };
    const requirement = { ...location, rejections };
    const closed = { category: 'wrong key', error: silent };
    const late = new NoReply(request, [{ kind: 'timeout', detail: 'no complete response' }]);
    expect(await judgeBy(requirement, { lost: [closed, closed] })).toMatchObject({
      verdict: 'pass',
      cases: 2,
      accepted: 0,
    });
    const cutOff = (status: number) =>
      new NoReply(request, [{ kind: 'reset', detail: 'closed', begun: status }]);
    const withCutOff = (status: number) =>
      judgeBy(requirement, { observations: answered, lost: [{ ...closed, error: cutOff(status) }] });
    expect(await withCutOff(201)).toMatchObject({ verdict: 'inconclusive' });
    expect(await withCutOff(401)).toMatchObject({ verdict: 'pass' });
    for (const lost of [
      [closed, { ...closed, error: late }],
      [closed, { ...closed, error: new Inconclusive('the control was rejected') }],
      [closed, { ...closed, error: cutOff(201) }],
    ])
      expect(await judgeBy(requirement, { lost })).toMatchObject({ verdict: 'inconclusive' });
    const another = { lost: [{ ...closed, category: 'another' }] };
    expect(await judgeBy({ ...requirement, level: 'must' }, another)).toMatchObject({
      verdict: 'inconclusive',
    });
    // A recommendation about some responses does not apply where there are none; one that demands a response does.
    const recommended = { ...requirement, level: 'should' } as const;
    expect(await judgeBy(recommended, another)).toMatchObject({ verdict: 'inconclusive' });
    expect(await judgeBy({ ...recommended, subject: '401' }, another)).toMatchObject({
      verdict: 'untested',
      reason: 'no 401 was observed: the target closed the connection',
    });
  });

  it('breaks what is required, if the target closed the connection; a late response leaves no verdict', async () => {
    const late = new NoReply(request, [{ kind: 'timeout', detail: 'no complete response' }]);
    const requirement = {
      ...location,
      level: 'must',
      unanswered: { in: [wide] },
    } as const;
    const judged = (error: NoReply) =>
      judgeBy(requirement, { observations: answered, lost: [{ category: 'any', error }] });
    expect(await judged(silent)).toMatchObject({ verdict: 'fail', cases: 2, broken: 1 });
    expect(await judged(late)).toMatchObject({ verdict: 'inconclusive', reason: late.message });
    const elsewhere = { ...requirement, unanswered: { in: [] } };
    const exploration = { observations: answered, lost: [{ category: 'any', error: silent }] };
    expect(await judgeBy(elsewhere, exploration)).toMatchObject({ verdict: 'pass' });
  });
});
