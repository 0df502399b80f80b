import fc from 'fast-check';
import { REPEATED, acceptedInputs, hasServiceFailed, hasPlainInput } from '../../lib/engine/observation.ts';
import { createCustomer, customerScenario } from '../../lib/engine/operations/customer.ts';
import type { CustomerObservation } from '../../lib/engine/operations/customer.ts';
import { spareRequests } from '../../lib/engine/readiness/budget.ts';
import { fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Observed } from '../../lib/engine/scenario.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { isPlainAddress } from '../../lib/inputs/addresses.ts';
import { rulesBehind } from '../../lib/inputs/name-rules.ts';
import type { NameRules, SentName } from '../../lib/inputs/name-rules.ts';
import { isPlainName, plainName } from '../../lib/inputs/names.ts';
import { roundRobin } from '../../lib/inputs/lists.ts';
import { simplerAddresses, simplerNames } from '../../lib/inputs/simpler-inputs.ts';
import type { SentAddress } from '../../lib/inputs/simpler-inputs.ts';
import { createAndMark, simultaneousCustomers } from './customers.ts';
import { customerCase, wideCustomers } from './wide-customers.ts';

/** Maximum number of requests for what was rejected, as a share of the cases: 136 in a default run. */
const SHARE_OF_CASES = 0.8;
/** How many requests are repeated unchanged. */
const MAX_REPEATED = 8;
/** How many lists of names there are, each of which depends on the responses to those before. */
const MAX_LISTS = 5;
/** The index of the list with names from requests with a wide address: by then the accepted characters are known. */
const LIST_OF_NAMES_ALONE = 2;

/**
 * What rejected customers consist of, as far as the target may accept it. Some requests that the service
 * failed on are repeated unchanged. Then follow simpler addresses, simpler names, and names without their
 * wide address.
 */
export const simplifiedCustomers = customerScenario({
  name: 'simplified customers',
  uses: [simultaneousCustomers, wideCustomers],
  *cases(run, observed) {
    const wide = observed(wideCustomers);
    yield wide
      .filter(hasServiceFailed)
      .slice(0, MAX_REPEATED)
      .map(({ case: { category, input } }) => fixedCase(category, input));
    const before = [...wide, ...observed(simultaneousCustomers)];
    const accepted = acceptedInputs(before);
    const acceptedNames = new Set(accepted.map(({ name }) => name));
    const acceptedAddresses = new Set(accepted.map(({ address }) => address));
    const nameMayExplain = ({ name }: CustomerInput): boolean =>
      !isPlainName(name) && !acceptedNames.has(name);
    const addressMayExplain = ({ address }: CustomerInput): boolean =>
      !isPlainAddress(address) && !acceptedAddresses.has(address);
    const names: SentName[] = before.map((one) => ({
      ...sentName(one),
      isInDoubt: addressMayExplain(one.case.input),
    }));
    const addresses: SentAddress[] = before.map((one) => ({
      ...sentAddress(one),
      isInDoubt: nameMayExplain(one.case.input),
    }));
    const alone = run.shuffle(wide.filter((one) => !one.accepted && addressMayExplain(one.case.input)));
    const nextNames = simplerNames(run.shuffle);
    const nextAddresses = simplerAddresses();
    let left = Math.min(Math.ceil(run.cases * SHARE_OF_CASES), spareRequests(run));
    for (let list = 0; list < MAX_LISTS; list++) {
      const cases = [
        ...nextAddresses(addresses).map((address) =>
          customerCase('simpler address', { name: plainName, address: fc.constant(address) }),
        ),
        ...roundRobin([
          nextNames(names).map(({ category, name }) => customerCase(category, { name })),
          list === LIST_OF_NAMES_ALONE ? namesAlone(alone, rulesBehind(names)) : [],
        ]),
      ].slice(0, left);
      left -= cases.length;
      const observations = yield cases;
      names.push(...observations.map(sentName));
      addresses.push(...observations.map(sentAddress));
    }
  },
  send: (run, observed) => {
    const failed = new Map(
      observed(wideCustomers)
        .filter(hasServiceFailed)
        .map(({ case: { input }, exchange }) => [input, exchange]),
    );
    return async (testCase, nonce) => {
      // In a replay, no failure precedes the request.
      if (testCase.index === REPEATED) return createAndMark(run, testCase, nonce);
      const control = failed.get(testCase.input);
      const observation = await createCustomer(run, testCase, nonce);
      return control && observation.accepted
        ? { ...observation, control, intermittent: 'control' }
        : observation;
    };
  },
});

/** The scenarios of wide customers, and of the simpler ones that follow rejected ones. */
export const wideScenarios = [simultaneousCustomers, wideCustomers, simplifiedCustomers] as const;

/** The observations of `wideScenarios`, without plain customers. */
export const wideAndSimplified = (observed: Observed): readonly CustomerObservation[] =>
  wideScenarios.flatMap(observed).filter((one) => !hasPlainInput(one));

const sentName = ({ submitted: { name }, accepted }: CustomerObservation): SentName => ({ name, accepted });

const sentAddress = ({ submitted: { email }, accepted }: CustomerObservation): SentAddress => ({
  email,
  accepted,
});

/** The names of customers, as far as the target may accept them. */
const namesAlone = (
  customers: readonly CustomerObservation[],
  rules: NameRules,
): CaseSource<CustomerInput>[] =>
  customers
    .filter(({ submitted: { name } }) => rules.isKnown(name))
    .map(({ case: { category, input } }) =>
      customerCase(`${category}, name alone`, { name: fc.constant(input.name) }),
    );
