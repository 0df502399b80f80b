import fc from 'fast-check';
import { swapCase } from '../../lib/inputs/invalid-credentials.ts';
import { customerScenario } from '../../lib/engine/operations/customer.ts';
import { firstCustomer } from '../../lib/engine/readiness/first-contact.ts';
import type { CaseSource } from '../../lib/engine/scenario.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { noAddress } from '../../lib/inputs/addresses.ts';
import { plainCustomers } from './customers.ts';
import { customerCase, wideCustomers } from './wide-customers.ts';

/** Another spelling of a text; the text itself where there is none. */
type Respelling = (text: string) => string;

const unchanged: Respelling = (text) => text;
const otherForm: Respelling = (text) =>
  text === text.normalize('NFC') ? text.normalize('NFD') : text.normalize('NFC');
const spaced: Respelling = (text) => `${text} `;
const tagged: Respelling = (email) => email.replace(/^([^+@"]+)@/, '$1+news@');
const domainInCapitals: Respelling = (email) => email.replace(/@[^@]*$/, (domain) => domain.toUpperCase());
const otherDomain: Respelling = (email) => `${email.slice(0, email.lastIndexOf('@'))}@example.org`;

/**
 * How a customer is related to two earlier ones, by the name of one and the email of the other: by the interface, neither
 * has any effect on it.
 */
const relations: readonly {
  readonly category: string;
  readonly name: Respelling;
  readonly email: Respelling;
}[] = [
  { category: 'same name, same email', name: unchanged, email: unchanged },
  { category: 'other case', name: swapCase, email: swapCase },
  { category: 'other normal form', name: otherForm, email: otherForm },
  { category: 'same mailbox, with a tag', name: unchanged, email: tagged },
  { category: 'same domain, in capitals', name: unchanged, email: domainInCapitals },
  { category: 'same beginning', name: spaced, email: otherDomain },
];

/**
 * Customers with the name of one earlier customer and the email of another, unchanged or spelled differently. Where both
 * together are rejected, as names or emails may be unique, each is sent alone.
 */
export const relatedCustomers = customerScenario({
  name: 'related customers',
  uses: [firstCustomer, plainCustomers, wideCustomers],
  *cases(_, observed) {
    const accepted = [firstCustomer, plainCustomers, wideCustomers]
      .flatMap(observed)
      .filter((observation) => observation.accepted)
      .map(({ submitted }) => submitted);
    const names = accepted.map(({ name }) => name);
    // Not both from the same customer if neither is spelled differently: that would be the same request.
    const emails = accepted.slice(1).map(({ email }) => email);
    const sent = yield relations.map(({ category, name, email }) =>
      related(category, respelled(names, name), respelled(emails, email)),
    );
    yield sent
      .filter((observation) => !observation.accepted)
      .flatMap(({ case: { category }, submitted: { name, email } }) => [
        related(`${category}, name alone`, name),
        related(`${category}, email alone`, undefined, email),
      ])
      .slice(0, MAX_ALONE);
  },
});

const MAX_ALONE = 6;

/** Maximum length of a value that is sent in another spelling. */
const MAX_RELATED_LENGTH = 100;

/** The first value if its spelling is kept; otherwise the first one that has another spelling, in that spelling. */
const respelled = (values: readonly string[], respell: Respelling): string | undefined =>
  values
    .filter(({ length }) => length > 3 && length < MAX_RELATED_LENGTH)
    .map((value) => [value, respell(value)] as const)
    .find(([value, other]) => respell === unchanged || other !== value)?.[1];

/** @param name undefined: a plain one; the same with the email */
const related = (category: string, name?: string, email?: string): CaseSource<CustomerInput> =>
  customerCase(category, {
    ...(name !== undefined && { name: fc.constant(name) }),
    ...(email !== undefined && { address: fc.constant(noAddress(email)) }),
  });
