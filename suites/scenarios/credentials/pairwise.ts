import type { InvalidCredential } from '../../../lib/inputs/invalid-credentials.ts';
import { styles, usualStyle } from '../../../lib/inputs/json-styles.ts';
import type { JsonStyle } from '../../../lib/inputs/json-styles.ts';
import { randomKey } from '../../../lib/inputs/near-misses.ts';
import { acceptedInputs } from '../../../lib/engine/observation.ts';
import type { CaseSource, Run } from '../../../lib/engine/scenario.ts';
import { strengthFor } from '../../../lib/settings/depths.ts';
import { combinations } from '../combinations.ts';
import { isCarriedBy } from './filled-conditions.ts';
import { dimensionsOf } from './conditions.ts';
import type { Condition } from '../../../lib/engine/operations/request.ts';
import { credentialCase, ruleOf } from './cases.ts';
import type { CredentialInput } from './cases.ts';
import { customerOperation, tokenOperation, withInvalidCredentials } from './requests.ts';
import type { CredentialObservation } from './requests.ts';
import { bySize, hasOtherThanAscii, plainBodies } from './bodies.ts';
import { tokenControl, variedTokens } from '../tokens.ts';
import { wideAndSimplified, wideScenarios } from '../simplified-customers.ts';

/** Stands for another key of the same form in each request. */
const RANDOM_KEY = { kind: 'other', text: '' } as const;

/** Credentials that differ in how much of them is right, and in how the scheme is written. */
const credentials: readonly InvalidCredential[] = [
  { kind: 'none' },
  { kind: 'value', template: '' },
  { kind: 'value', template: 'Bearer' },
  { kind: 'value', template: '{key}' },
  { kind: 'value', template: 'Token {key}' },
  { kind: 'value', template: 'Basic {basic}' },
  RANDOM_KEY,
  { kind: 'reverse' },
  { kind: 'add', before: '', after: 'x' },
  { kind: 'case', to: 'swapped' },
  { ...RANDOM_KEY, scheme: 'bearer' },
  { kind: 'add', before: '', after: 'x', scheme: 'bearer' },
  { kind: 'case', to: 'swapped', scheme: 'bearer' },
];

/** A part of a request that is combined with others. */
interface RequestPart<B> {
  readonly credential?: InvalidCredential;
  readonly body?: B;
  readonly style?: JsonStyle;
}

const encodings: readonly JsonStyle[] = [usualStyle, styles[0]!, styles[3]!, styles[7]!];

/**
 * Requests with invalid credentials in combination with other differences of a request, except those that the target also
 * rejects with the right key: such a rejection would say nothing about credentials.
 */
function combineCredentials<B extends { readonly style: JsonStyle }>(
  run: Run,
  dimensions: readonly (readonly (readonly Condition[])[])[],
  bodies: readonly B[],
): Generator<readonly CaseSource<CredentialInput<B>>[], void, readonly CredentialObservation<B>[]> {
  const isCarried = isCarriedBy(run.settings.route.http);
  const random = randomKey(run.settings.apiKey);
  return combinations<RequestPart<B>, readonly Condition[], CredentialInput<B>>(run, {
    parts: [
      credentials.map((credential) => ({ credential })),
      bodies.map((body) => ({ body })),
      encodings.map((style) => ({ style })),
    ],
    dimensions: dimensions.map((levels) => levels.filter((conditions) => conditions.every(isCarried))),
    alone: (conditions) => ({
      category: 'right key',
      input: { credential: { kind: 'right key' }, conditions, base: bodies[0]! },
    }),
    together(parts, levels, at) {
      const { credential, body, style } = Object.assign({}, ...parts) as Required<RequestPart<B>>;
      const invalid =
        credential.kind === 'other'
          ? { ...credential, ...run.generate(random, `random key ${at}`) }
          : credential;
      return credentialCase(ruleOf(invalid), invalid, { ...body, style }, levels.flat());
    },
  });
}

/** A few of some inputs: the shortest, the longest below a limit, one that is not ASCII, and others. */
function diverseSample<I>(inputs: readonly I[]): I[] {
  const sorted = bySize(inputs);
  const step = Math.ceil(sorted.length / 4);
  const chosen = [
    ...sorted.slice(0, 1),
    ...sorted.slice(-1),
    ...sorted.filter(hasOtherThanAscii).slice(0, 1),
    ...sorted.filter((_, at) => at % step === step >> 1),
  ];
  return [...new Set(chosen)];
}

/** Customer creations with invalid credentials and several other differences at once; in long runs only. */
export const pairwiseCustomerCredentials = withInvalidCredentials(customerOperation, {
  name: 'pairwise customer credentials',
  uses: wideScenarios,
  cases: (run, observed) =>
    combineCredentials(run, dimensionsOf('customers'), [
      plainBodies(run)(0),
      ...diverseSample(acceptedInputs(wideAndSimplified(observed))),
    ]),
});

/** Token requests with invalid credentials and several other differences at once; in long runs only. */
export const pairwiseTokenCredentials = withInvalidCredentials(tokenOperation, {
  name: 'pairwise token credentials',
  uses: [variedTokens],
  cases: (run, observed) =>
    combineCredentials(run, dimensionsOf('tokens'), [
      tokenControl(observed).case.input,
      ...diverseSample(acceptedInputs(observed(variedTokens))),
    ]),
});

/** Dimensions of a request that are combined: credential, body and its encoding, and those of `dimensionsOf`. */
const DIMENSIONS = 3 + dimensionsOf('customers').length;

/** How thoroughly combinations were tested in a run of so many cases; undefined: they were not. */
export function combinationNote(
  observations: readonly CredentialObservation<unknown>[],
  cases: number,
): string | undefined {
  const names = [pairwiseCustomerCredentials.name, pairwiseTokenCredentials.name];
  const requests = observations.filter(({ case: { scenario } }) => names.includes(scenario)).length;
  const tuples = strengthFor(cases) === 3 ? 'triples' : 'pairs';
  return requests === 0
    ? undefined
    : `${requests} of them for all ${tuples} in ${DIMENSIONS} dimensions of a request, as far as the target accepts these with the key`;
}
