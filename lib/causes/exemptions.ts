import { MIN_SAMPLE } from './cause.ts';
import type { Cause } from './cause.ts';
import { MAX_NAMED, PROTECT, bearerIn } from './presented.ts';
import type { Hypothesis, NamedCondition, Presented } from './presented.ts';

const KEY_ELSEWHERE = 'Read the key from Authorization only.';
const CONNECTION = 'Authenticate every request independently of earlier requests on the connection.';

/** The key is accepted in one place besides Authorization. */
const elsewhere = (place: string, part: NamedCondition['part']): Hypothesis => ({
  cause: { id: 'elsewhere', text: `the key is accepted ${place}`, next: KEY_ELSEWHERE },
  accepts: ({ conditions }) => conditions.some((condition) => condition.hasKey && condition.part === part),
});

/** Rules about where the key is, and what came before on the connection. */
export const rulesBesideHeader: readonly Hypothesis[] = [
  elsewhere('in the query', 'query'),
  elsewhere('in the body', 'member'),
  elsewhere('in other headers than Authorization', 'header'),
  {
    cause: {
      id: 'elsewhere',
      text: 'the key is accepted outside the Authorization header',
      next: KEY_ELSEWHERE,
    },
    accepts: ({ conditions }) => conditions.some(({ hasKey }) => hasKey),
  },
  {
    cause: {
      id: 'elsewhere',
      text: 'the key is accepted as access_token in the query or the body, if there is no credential elsewhere',
      next: KEY_ELSEWHERE,
    },
    accepts: ({ authorization, conditions }) => {
      const given = conditions.filter(
        ({ part, place }) => place === 'access_token' && (part === 'query' || part === 'member'),
      );
      return authorization === undefined && given.length === 1 && given[0]!.hasKey;
    },
  },
  {
    cause: { id: 'connection', text: 'a connection stays authenticated', next: CONNECTION },
    accepts: ({ isAfterAccepted }) => isAfterAccepted,
  },
];

/**
 * What all accepted requests have in common (conditions, names of headers, a query), and no rejected one has, makes the key
 * needless; if one of these is in no rejected request, that alone is named. First for all requests, then for those
 * without Authorization, then for those with a wrong key.
 */
export function exemptions(requests: readonly Presented[]): Hypothesis[] {
  const accepted = requests
    .filter((request) => request.accepted)
    .toSorted((one, other) => lengthOf(one) - lengthOf(other));
  const rejected = requests.filter((request) => !request.accepted);
  return BESIDES.flatMap(({ text: besides, isMet }) => {
    if (!accepted.every(isMet)) return [];
    return [0, 1, 2].flatMap((generality) => {
      const nameOf = ({ names }: NamedCondition): string => names[generality] ?? names.at(-1)!;
      // A header of several parts has the first of them.
      const isSame = (one: NamedCondition, other: NamedCondition): boolean =>
        nameOf(one) === nameOf(other) ||
        (one.part === 'header' && one.place === other.place && other.value.startsWith(one.value));
      const has = ({ conditions }: Presented, one: NamedCondition): boolean =>
        conditions.some((condition) => isSame(one, condition));
      const [first, ...others] = accepted;
      const shared = [...new Map(first?.conditions.map((one) => [nameOf(one), one])).values()].filter((one) =>
        others.every((request) => has(request, one)),
      );
      const never = shared.filter((one) => !rejected.some((request) => isMet(request) && has(request, one)));
      const common = never.length > 0 ? never : shared;
      if (common.length === 0 || common.length > MAX_NAMED) return [];
      const text = besides + common.map(nameOf).join(' and ');
      const isOfKey = accepted.every(({ conditions }) =>
        conditions.some((condition) => condition.hasKey && common.some((one) => isSame(one, condition))),
      );
      return {
        cause: isOfKey
          ? {
              id: 'elsewhere',
              text: `requests with ${text} are accepted without the key in Authorization`,
              next: KEY_ELSEWHERE,
            }
          : { id: 'exemption', text: `requests with ${text} need no key`, next: PROTECT },
        accepts: (request) => isMet(request) && common.every((one) => has(request, one)),
      };
    });
  });
}

const lengthOf = ({ conditions }: Presented): number => conditions.map(exactName).join('').length;

const exactName = ({ names }: NamedCondition): string => names[0];

/**
 * Each accepted request has one of some conditions, which no rejected one has: of one kind, or shown often. A request with only one of them
 * shows that it matters: those are named if each accepted request has one of them, and there are few.
 */
export function anyOf(requests: readonly Presented[]): Hypothesis[] {
  const accepted = requests.filter((request) => request.accepted);
  const inRejected = new Set(
    requests.flatMap((request) => (request.accepted ? [] : request.conditions.map(exactName))),
  );
  const ownOf = ({ conditions }: Presented): NamedCondition[] =>
    conditions.filter((one) => !inRejected.has(exactName(one)));
  const alone = accepted.map(ownOf).flatMap((own) => (own.length === 1 ? own : []));
  const ruleOf = (
    kind: string,
    shown: readonly NamedCondition[],
    isOfKind: (one: NamedCondition) => boolean,
  ): Hypothesis => {
    // Requirements that were failed alike, by requests in another order, have one cause.
    const names = [...new Set(shown.map(exactName))].toSorted();
    const areAll = accepted.every(({ conditions }) =>
      conditions.some((one) => names.includes(exactName(one))),
    );
    const isNamed = areAll && names.length <= MAX_NAMED;
    const [{ hasKey, place, value }] = shown as [NamedCondition];
    const text = isNamed
      ? `requests with ${names.join(' or ')}`
      : `${kind}, such as ${hasKey ? place : value}`;
    return {
      cause: hasKey
        ? {
            id: 'elsewhere',
            text: isNamed ? `${text} are accepted without the key in Authorization` : text,
            next: KEY_ELSEWHERE,
          }
        : { id: 'exemption', text: `${text}${isNamed ? '' : ','} need no key`, next: PROTECT },
      accepts: (request) => ownOf(request).some(isOfKind),
    };
  };
  const withKey = alone.filter(({ hasKey }) => hasKey);
  // Of several kinds: two headers for one purpose, of which each row that was accepted has one.
  const namesAlone = new Set(alone.map(exactName));
  const areShownOften =
    namesAlone.size > 0 &&
    namesAlone.size <= MAX_NAMED &&
    alone.every(({ hasKey }) => hasKey === alone[0]!.hasKey) &&
    accepted.length >= MIN_SAMPLE * namesAlone.size &&
    accepted.every(({ conditions }) => conditions.some((one) => namesAlone.has(exactName(one))));
  return [
    ...[...Map.groupBy(alone, kindOf)].map(([kind, shown]) =>
      ruleOf(kind, shown, (one) => kindOf(one) === kind),
    ),
    ...(withKey.length > 0
      ? [ruleOf('the key is accepted in some places besides Authorization', withKey, ({ hasKey }) => hasKey)]
      : []),
    ...(areShownOften ? [ruleOf('', alone, (one) => namesAlone.has(exactName(one)))] : []),
  ];
}

/** The kind of a condition, in words that an example may follow. */
function kindOf({ part, place, hasKey, names: [exact, general = exact] }: NamedCondition): string {
  if (!hasKey) return `requests with some values of ${part === 'header' ? place : general}`;
  const places = { member: 'members of the body', query: 'parameters of the query' } as const;
  return `the key is accepted in some ${part === 'member' || part === 'query' ? places[part] : 'other headers'}`;
}

/** What requests have beside their conditions, in words. */
const BESIDES: readonly { readonly text: string; readonly isMet: (request: Presented) => boolean }[] = [
  { text: '', isMet: () => true },
  { text: 'no Authorization and ', isMet: ({ authorization }) => authorization === undefined },
  { text: 'a wrong key in Authorization and ', isMet: (request) => bearerIn(request) !== undefined },
];

/** Accepted requests which show that acceptance depends only on the order of requests. */
const MIN_IN_ORDER = 10;

const hasBearer =
  (has: boolean) =>
  (request: Presented): boolean =>
    (bearerIn(request) !== undefined) === has;

/** All accepted requests differ from all rejected ones in their bodies, or came after them. */
export function traitRules(requests: readonly Presented[]): Hypothesis[] {
  const accepted = requests.filter((request) => request.accepted);
  const rejected = requests.filter((request) => !request.accepted);
  if (Math.min(accepted.length, rejected.length) < MIN_SAMPLE) return [];
  const rule = (text: string, accepts: Hypothesis['accepts']): Hypothesis => ({
    cause: { id: 'exemption', text, next: PROTECT },
    accepts,
  });
  const first = Math.min(...accepted.map(({ number }) => number));
  return [
    rule('requests with characters beyond ASCII in the body need no key', ({ body }) =>
      body.some((byte) => byte > 0x7f),
    ),
    ...QUANTITIES.flatMap(({ of, upTo, from, mayBeLimit }) => {
      const [least, most] = extremesOf(accepted.map(of));
      const [leastRejected, mostRejected] = extremesOf(rejected.map(of));
      return [
        ...(isBelow(mostRejected, least) && mayBeLimit(mostRejected + 1, least)
          ? [
              rule(
                `requests with ${from(least)} need no key, those with ${upTo(mostRejected)} do`,
                (request) => of(request) >= least,
              ),
            ]
          : []),
        ...(isBelow(most, leastRejected) && mayBeLimit(most, leastRejected - 1)
          ? [
              rule(
                `requests with ${upTo(most)} need no key, those with ${from(leastRejected)} do`,
                (request) => of(request) <= most,
              ),
            ]
          : []),
      ];
    }),
    // Rarer credentials come last: only if there are some of each kind does the order matter.
    ...(accepted.length >= MIN_IN_ORDER && [true, false].every((has) => accepted.some(hasBearer(has)))
      ? [rule(`from exchange ${first} on, requests need no key`, ({ number }) => number >= first)]
      : []),
  ];
}

/**
 * All requests that followed an accepted one on its connection are accepted, though others with nothing but a wrong
 * credential are not: what matters is their connection, or what else was in flight.
 */
export function earlierKey(requests: readonly Presented[]): Cause | undefined {
  const [after, others] = [true, false].map((is) => requests.filter((one) => one.isAfterAccepted === is));
  if (after!.length < MIN_SAMPLE || !after!.every(({ accepted }) => accepted)) return undefined;
  const rejected = others!.filter(({ accepted, conditions }) => !accepted && conditions.length === 0);
  if (rejected.length < MIN_SAMPLE) return undefined;
  return {
    id: 'connection',
    text: 'the key of one request counts for others, such as those on the same connection',
    next: 'Authenticate every request independently of those before it and beside it.',
  };
}

/** Whether a range contains a usual limit: if it does not, the sizes differ by chance. */
const hasRound = (from: number, to: number): boolean =>
  [50, 64].some((step) => Math.floor(to / step) * step >= from);

/** Whether one value is below the other, if there are both. */
const isBelow = (one: number, other: number): boolean =>
  Number.isFinite(one) && Number.isFinite(other) && one < other;

/** The least and the greatest value, of those that there are; infinite: there are none. */
const extremesOf = (values: readonly number[]): [least: number, most: number] => {
  const known = values.filter((value) => !Number.isNaN(value));
  return [Math.min(...known), Math.max(...known)];
};

/** The members of a body that is a token request. */
interface TokenMembers {
  readonly scopes?: unknown;
  readonly expires_in?: unknown;
}

/** The members of a body; none if it is no JSON. */
function membersOf({ body }: Presented): TokenMembers {
  try {
    return (JSON.parse(Buffer.from(body).toString()) ?? {}) as TokenMembers;
  } catch {
    return {};
  }
}

/** What a body has more or less of. */
const QUANTITIES: readonly {
  /** NaN: it has none. */
  readonly of: (request: Presented) => number;
  readonly upTo: (most: number) => string;
  readonly from: (least: number) => string;
  readonly mayBeLimit: (from: number, to: number) => boolean;
}[] = [
  {
    of: ({ body }) => body.length,
    upTo: (most) => `a body of up to ${most} bytes`,
    from: (least) => `a body of ${least} bytes or more`,
    mayBeLimit: hasRound,
  },
  {
    of: (request) => {
      const { scopes } = membersOf(request);
      return Array.isArray(scopes) ? scopes.length : NaN;
    },
    upTo: (most) => (most === 0 ? 'no scopes' : `up to ${most} scopes`),
    from: (least) => (least === 1 ? 'any scopes' : `${least} scopes or more`),
    mayBeLimit: () => true,
  },
  {
    of: (request) => Number(membersOf(request).expires_in ?? NaN),
    upTo: (most) => `expires_in of up to ${most}`,
    from: (least) => `expires_in of ${least} or more`,
    mayBeLimit: () => true,
  },
];

/** Differences of a request target from the path of its operation; an empty query is none to some servers. */
const OTHER_TARGETS: readonly { readonly text: string; readonly parts: readonly NamedCondition['part'][] }[] =
  [
    { text: 'a query', parts: ['query'] },
    { text: 'a query, or with another spelling of the path', parts: ['query', 'path'] },
    { text: 'any target but exactly the path of the operation', parts: ['query', 'path', 'target'] },
  ];

/** All accepted requests, and no rejected ones, had a body of another type than JSON, or of none. */
export const otherMediaType: Hypothesis = {
  cause: {
    id: 'exemption',
    text: 'requests with another Content-Type than application/json, or none, need no key',
    next: PROTECT,
  },
  accepts: ({ conditions }) =>
    conditions.some(
      ({ part, place, value, names: [name] }) =>
        name === 'no Content-Type' ||
        (part === 'header' && place === 'Content-Type' && !/^application\/json\b/i.test(value)),
    ),
};

/** All accepted requests had the request target in a form that no rejected one had. */
export function targetRules(accepted: readonly Presented[]): Hypothesis[] {
  const formOf = ({ conditions }: Presented): string | undefined =>
    conditions.find(({ part }) => part === 'path' || part === 'target')?.names[0];
  const known = new Set(accepted.map(formOf));
  const others = OTHER_TARGETS.flatMap(({ text, parts }) =>
    [true, false].map((isEmptyToo): Hypothesis => ({
      cause: { id: 'exemption', text: `requests with ${text} need no key`, next: PROTECT },
      accepts: ({ conditions }) =>
        conditions.some(
          ({ part, place, value }) =>
            parts.includes(part) && (part !== 'query' || isEmptyToo || place + value !== ''),
        ),
    })),
  );
  if (known.has(undefined)) return others;
  return [
    {
      cause: {
        id: 'exemption',
        text: `requests with some forms of the request target need no key: ${[...known].join(', ')}`,
        next: PROTECT,
      },
      accepts: (request) => known.has(formOf(request)),
    },
  ];
}
