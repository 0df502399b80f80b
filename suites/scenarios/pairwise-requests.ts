import { customerScenario } from '../../lib/engine/operations/customer.ts';
import { acceptedInputs, isAccepted } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import { fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Run } from '../../lib/engine/scenario.ts';
import { tokenScenario } from '../../lib/engine/operations/token.ts';
import { plainCustomer } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { plainAddress } from '../../lib/inputs/addresses.ts';
import { BROWSER, accepts, codings } from '../../lib/inputs/json-styles.ts';
import type { JsonStyle } from '../../lib/inputs/json-styles.ts';
import { manyScopes } from '../../lib/inputs/tokens.ts';
import type { TokenInput } from '../../lib/inputs/tokens.ts';
import { combinations } from './combinations.ts';
import { origins } from './credentials/conditions.ts';
import { acceptedToken, plainTokenScenarios, variedTokens } from './tokens.ts';
import { wideAndSimplified, wideScenarios } from './simplified-customers.ts';

type StyleChange = Partial<JsonStyle>;

const field = (name: string, ...values: readonly string[]): readonly StyleChange[] =>
  values.map((value) => ({ fields: [[name, value] as const] }));

/**
 * The ways to write and send the same request, the usual one of each first; a gateway or a browser adds the last
 * headers.
 */
const variations: readonly (readonly StyleChange[])[] = [
  [{}, { order: 'reversed' }],
  [{}, { space: ' ' }, { space: '\n  ' }, { space: '\r\n\t' }],
  [{}, { escape: 'solidus' }, { escape: 'non-ascii' }, { escape: 'all', hex: 'upper' }],
  [{}, { chunked: true }],
  codings.map((coding) => ({ codings: coding })),
  [
    {},
    ...field(
      'Content-Type',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'Application/JSON',
    ),
  ],
  [
    ...accepts.map((accept) => ({ accept })),
    ...field('Accept', 'application/json, text/plain, */*', 'application/json, text/html;q=0.5'),
  ],
  [{}, ...field('Accept-Language', 'tr', 'ar', 'de-AT, de;q=0.7')],
  [
    {},
    { fields: origins.flatMap(({ fields = [] }) => fields) },
    {
      fields: [
        ['User-Agent', BROWSER],
        ['X-Requested-With', 'XMLHttpRequest'],
        ['Cache-Control', 'no-cache'],
        ['DNT', '1'],
      ],
    },
  ],
];

const styleOf = (usual: JsonStyle, chosen: readonly StyleChange[]): JsonStyle => ({
  ...usual,
  ...(Object.assign({}, ...chosen) as StyleChange),
  fields: chosen.flatMap(({ fields = [] }) => fields),
});

/**
 * The same request in combinations of these variations and of values of its parts.
 * @param parts the values that parts of the input may have
 */
const combineRequests = <I extends { readonly style: JsonStyle }>(
  run: Run,
  plain: I,
  parts: readonly (readonly Partial<I>[])[],
): Generator<readonly CaseSource<I>[], void, readonly Observation<I>[]> =>
  combinations<Partial<I>, StyleChange, I>(run, {
    parts,
    dimensions: variations,
    alone: (variation) => ({
      category: 'one difference',
      input: { ...plain, style: styleOf(plain.style, [variation]) },
    }),
    together: (values, chosen) =>
      fixedCase('combination', {
        ...plain,
        ...(Object.assign({}, ...values) as Partial<I>),
        style: styleOf(plain.style, chosen),
      }),
  });

/** Maximum number of values of a part. */
const MAX_VALUES = 12;
/** Characters of a name that consists of several. */
const MAX_JOINED_LENGTH = 200;

/** Accepted names, several in each. */
function severalInEach(names: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const name of names) {
    const last = joined.at(-1) ?? '';
    if (last !== '' && last.length + name.length < MAX_JOINED_LENGTH)
      joined[joined.length - 1] = `${last} ${name}`;
    else joined.push(name);
  }
  return joined.slice(0, MAX_VALUES);
}

/** Customers with accepted names and addresses, written and sent in combinations of these variations; in long runs only. */
export const pairwiseCustomers = customerScenario({
  name: 'pairwise customers',
  uses: wideScenarios,
  cases: (run, observed) => {
    const inputs = run.shuffle(acceptedInputs(wideAndSimplified(observed)));
    const plain = { ...run.generate(plainCustomer, 'in combination'), address: plainAddress };
    const names = severalInEach(
      inputs.map(({ name }) => name).filter(({ length }) => length > 2 && length < 100),
    );
    const long = inputs.map(({ name }) => name).find(({ length }) => length > 1000 && length < 5000);
    const addresses = inputs.map(({ address }) => address).filter(({ nonceIn }) => nonceIn !== 'none');
    return combineRequests<CustomerInput>(run, plain, [
      [plain.name, ...names, ...(long === undefined ? [] : [long])].map((name) => ({ name })),
      [plainAddress, ...new Set(addresses)].slice(0, MAX_VALUES).map((address) => ({ address })),
    ]);
  },
});

/** Token requests for lists of scopes and lifetimes in the same combinations; in long runs only. */
export const pairwiseTokens = tokenScenario({
  name: 'pairwise tokens',
  uses: [...plainTokenScenarios, variedTokens],
  cases: (run, observed) => {
    const plain = acceptedToken(observed)?.case.input;
    if (!plain) return [];
    const varied = observed(variedTokens).filter(isAccepted);
    const inputs = acceptedInputs(varied);
    const isAnyAccepted = varied.some(({ case: { category } }) => category === 'wide');
    const known = [...new Set([...plain.scopes, ...inputs.flatMap(({ scopes }) => scopes)])].slice(0, 12);
    const lifetimes = new Set([plain.expiresIn, ...inputs.map(({ expiresIn }) => expiresIn)]);
    return combineRequests<TokenInput>(run, plain, [
      [plain.scopes, ...listsOf(isAnyAccepted ? manyScopes(12) : known)].map((scopes) => ({ scopes })),
      [...lifetimes].slice(0, MAX_VALUES).map((expiresIn) => ({ expiresIn })),
    ]);
  },
});

/** Lists of some scopes that differ in length, order, beginning, end, and in what they repeat. */
function listsOf(scopes: readonly string[]): readonly (readonly string[])[] {
  const lists = [
    scopes,
    scopes.toReversed(),
    scopes.slice(0, -1),
    scopes.slice(1),
    [...scopes, scopes[0]!],
    [scopes[0]!, scopes[0]!],
    [...scopes.slice(0, 2), ...scopes.slice(2).toReversed()],
    [...scopes.slice(0, 2), ...scopes.slice(4)],
    scopes.slice(0, 3),
    [...scopes.slice(0, 2), ...scopes.slice(3, 4)],
    ...scopes.slice(0, 3).map((scope) => [scope]),
  ];
  return [...new Map(lists.map((list) => [list.join(' '), list])).values()].filter(
    ({ length }) => length > 0,
  );
}
