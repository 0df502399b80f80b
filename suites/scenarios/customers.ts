import { withSuffix } from '../../lib/engine/nonces.ts';
import { mayBeLocked } from '../../lib/target/retries/throttling.ts';
import {
  createCustomer,
  createTogether,
  customerScenario,
  customerRequestOf,
  idOf,
} from '../../lib/engine/operations/customer.ts';
import type { CustomerObservation } from '../../lib/engine/operations/customer.ts';
import { firstCustomer } from '../../lib/engine/readiness/first-contact.ts';
import {
  IDENTICAL,
  PLAIN,
  Inconclusive,
  isComparable,
  unlessWithoutReply,
  isAccepted,
} from '../../lib/engine/observation.ts';
import type { Case } from '../../lib/engine/observation.ts';
import type { Nonce } from '../../lib/engine/nonces.ts';
import { fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Observed, Run } from '../../lib/engine/scenario.ts';
import { plainAddress } from '../../lib/inputs/addresses.ts';
import { customerOf, plainCustomer } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { styles, usualStyle } from '../../lib/inputs/json-styles.ts';
import { isPlainName, plainName } from '../../lib/inputs/names.ts';
import { repeatsUntilClash } from './birthday-problem.ts';
import { MAX_REJECTED, assertRejectedAgain, markedIfIntermittent, withControl } from './recurrence.ts';
import { namesTogether, singleEntryNames, wideCustomers } from './wide-customers.ts';

const plain: CaseSource<CustomerInput> = { category: PLAIN, arbitrary: plainCustomer };
/** A plain customer with the headers of Node's fetch. */
const asNodeSends: CaseSource<CustomerInput> = {
  category: PLAIN,
  arbitrary: plainCustomer.map((input) => ({
    ...input,
    style: { ...usualStyle, accept: '*/*', fields: [['Accept-Language', '*']] },
  })),
};
const repeated = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

export const plainCustomers = customerScenario({
  name: 'plain customers',
  cases: () => [plain],
});

/** Scenarios that show whether the target accepts plain customers. */
export const plainCustomerScenarios = [firstCustomer, plainCustomers] as const;

/** The first accepted plain customer. @throws {Inconclusive} if there is none */
export function customerControl(observed: Observed): CustomerObservation {
  const control = plainCustomerScenarios.flatMap(observed).find(isAccepted);
  if (!control) throw new Inconclusive('no plain customer with the right key was accepted');
  return control;
}

export const acceptedIds = (observed: Observed): readonly string[] =>
  plainCustomerScenarios
    .flatMap(observed)
    .flatMap(({ accepted, exchange }) => (accepted ? idOf(exchange.reply) : []))
    .filter((id) => typeof id === 'string');

/**
 * A plain customer directly after the same request without a credential, on its connection: a service that rejects
 * without reading the body takes the rest of it for the beginning of the next request, and one that creates customers
 * before it checks the credential has this one already.
 */
export const customersAfterRejection = customerScenario({
  name: 'customers after a rejection',
  cases: () => [plain],
  send: (run) => (testCase, nonce) =>
    run.target.connections.withDedicated(async (connection) => {
      const { input, scenario: queue } = testCase;
      const submitted = customerOf(input, nonce(0), run.settings.emailDomain);
      const rejected = customerRequestOf(submitted, input, undefined);
      await run.target.send(rejected, { queue, connection, ifThrottled: 'final', mayBeRejected: true });
      return createCustomer(run, testCase, nonce, { connection });
    }),
});

/** Customers, some of them plain, whose requests are complete at the target at the same instant. */
export const simultaneousCustomers = customerScenario({
  name: 'simultaneous customers',
  cases: (run) => {
    const names = namesTogether(run);
    const together = Math.max(2, run.settings.concurrency);
    return [...repeated(together - names, plain), ...singleEntryNames(run).slice(0, names)];
  },
  sendTogether: (run) => (cases) => createTogether(run, cases),
});

/**
 * A body with an id, which the service must not use; if it is rejected, the same without an id. Then a body with an id of
 * the form of assigned ones, twice at the same instant, with another name at that instant, too, and once after these,
 * each time with the same email, which is new to the service at first: it may be rejected, or must create a new customer
 * each time. If the service fails on one of these, but not on all, that one is repeated alone.
 */
export const repeatedCustomers = customerScenario({
  name: 'repeated customers',
  uses: [firstCustomer],
  *cases({ runId, generate }, observed) {
    const [created] = observed(firstCustomer);
    const id = anotherId(created && idOf(created.exchange.reply)) ?? `chosen-${runId()}`;
    const withId = plain.arbitrary.map((input) => ({ ...input, id }));
    let [first] = yield [{ category: 'with an id', arbitrary: withId }];
    if (!first?.accepted) [first] = yield [plain];
    if (!first?.accepted) return;
    const { input } = first.case;
    const repeated = input.id === undefined ? input : { ...input, id: `cus_${input.id}` };
    const identical = fixedCase(IDENTICAL, repeated);
    const renamed = fixedCase(SAME_EMAIL, { ...repeated, name: generate(plainName, SAME_EMAIL) });
    yield [identical, identical, renamed];
    yield [identical];
  },
  send: (run) => (testCase, nonce) => createAndMark(run, testCase, nonce),
  sendTogether: (run) => {
    let shared: Nonce | undefined;
    return async (given) => {
      const cases = given.map(({ testCase, nonce }) =>
        [IDENTICAL, SAME_EMAIL].includes(testCase.category)
          ? { testCase, nonce: (shared ??= nonce) }
          : { testCase, nonce },
      );
      const results = await createTogether(run, cases);
      if (!results.some((one) => !(one instanceof Error) && one.accepted)) return results;
      return Promise.all(
        results.map(async (one, at) => {
          if (one instanceof Error) return one;
          const { testCase, nonce } = cases[at]!;
          const marked = markedIfIntermittent(one, () => createCustomer(run, testCase, nonce));
          // If the repetition gets no response, the observation stays unchanged.
          return (await unlessWithoutReply(marked)) ?? one;
        }),
      );
    };
  },
});

/** The email of identical customers, with another name. */
const SAME_EMAIL = 'same email';

/** How many characters at the end of an id are reversed to make another id: one made of fewer may be that of a customer. */
const REVERSED = 8;

/** An id of the form of an assigned one, without its prefix: the database may accept no other. */
function anotherId(assigned: unknown): string | undefined {
  if (typeof assigned !== 'string') return undefined;
  const id = assigned.replace(/^cus_/, '');
  const end = id.slice(-REVERSED).split('').toReversed().join('');
  return id.length > REVERSED && !id.endsWith(end) ? id.slice(0, -REVERSED) + end : undefined;
}

/** Creates a customer, and marks it if the service fails on it, but not each time. */
export const createAndMark = async (
  run: Run,
  testCase: Case<CustomerInput>,
  nonce: Nonce,
): Promise<CustomerObservation> =>
  markedIfIntermittent(await createCustomer(run, testCase, nonce), (attempt) =>
    createCustomer(run, testCase, withSuffix(nonce, `v${attempt}`)),
  );

/** Plain customers, and some whose names need escapes, in other JSON encodings. */
export const encodedCustomers = customerScenario({
  name: 'encoded customers',
  *cases() {
    yield styles.map((style) => ({
      category: `${PLAIN}, other encoding`,
      arbitrary: plainCustomer.map((input) => ({ ...input, style })),
    }));
    const escaped = [
      { name: 'Zoë Weber', style: { ...usualStyle, escape: 'non-ascii' } },
      { name: 'Ada 😀 Berg', style: { ...usualStyle, escape: 'non-ascii' } },
      { name: 'Ada / Berg', style: { ...usualStyle, escape: 'solidus' } },
      { name: 'Ada "Q" \\ Ωß😀', style: { ...usualStyle, escape: 'all', hex: 'upper' } },
    ] as const;
    yield escaped.map((input) => fixedCase('escaped, other encoding', { ...input, address: plainAddress }));
  },
  // Plain input is known to be accepted, so only its rejection needs a control; other input gets its control first.
  send: (run) => async (testCase, nonce) => {
    const { input } = testCase;
    const encoded = (suffix = ''): Promise<CustomerObservation> =>
      createCustomer(run, testCase, withSuffix(nonce, suffix));
    const control = (suffix = ''): Promise<CustomerObservation> => {
      // Another first letter, as a service may accept each name only once, and may limit its length.
      const name = input.name.replace(/^./u, (first) => (first === 'E' ? 'I' : 'E'));
      const usually = { ...input, name, style: usualStyle };
      return createCustomer(run, { ...testCase, input: usually }, withSuffix(nonce, `u${suffix}`));
    };
    const before = isPlainName(input.name) ? undefined : await control();
    const observation = await encoded();
    const compared = before ?? (observation.accepted ? undefined : await control());
    if (compared === undefined) return observation;
    const again = (attempt: number): Promise<CustomerObservation> => encoded(`v${attempt}`);
    const controlAgain = (attempt: number): Promise<CustomerObservation> => control(`v${attempt}`);
    const both = await withControl(observation, compared, again, controlAgain);
    if (
      isComparable(both) &&
      both.accepted !== compared.accepted &&
      (before || mayBeLocked(both.exchange.reply))
    )
      await assertRejectedAgain(both.accepted ? controlAgain : again, before ? MAX_REJECTED : 1);
    return both;
  },
});

/**
 * Plain customers at the end, which must still be accepted. There are many if ids are short, until a service that
 * chooses them at random would repeat one.
 */
export const lateCustomers = customerScenario({
  name: 'late customers',
  uses: [firstCustomer, plainCustomers, simultaneousCustomers, wideCustomers],
  cases: (_, observed) => {
    const observations = [firstCustomer, plainCustomers, simultaneousCustomers, wideCustomers].flatMap(
      observed,
    );
    const more = repeatsUntilClash(observations.map(({ exchange }) => idOf(exchange.reply)));
    return [asNodeSends, ...repeated(1 + more, plain)];
  },
});
