import fc from 'fast-check';
import { describe } from 'vitest';
import { shortId } from '../lib/engine/counted.ts';
import { idOf } from '../lib/engine/customer.ts';
import type { CustomerObservation } from '../lib/engine/customer.ts';
import type { Address } from '../lib/inputs/address.ts';
import { asIs } from '../lib/inputs/as-is.ts';
import { anyStyle } from '../lib/inputs/json.ts';
import { customerIdForm } from '../lib/inputs/customer-id.ts';
import { printable } from '../lib/target/printable.ts';
import { bind } from '../lib/engine/requirement.ts';
import type { Violation } from '../lib/engine/finding.ts';
import { isObject, member } from '../lib/target/reply.ts';
import { clash, isAccepted, mustBeAccepted, mustEcho, violation } from './checks.ts';
import {
  encodedCustomers,
  plainCustomers,
  repeatedCustomers,
  simultaneousCustomers,
  wideCustomers,
} from './experiments/customers.ts';
import { customerExperiments } from './experiments/granting.ts';
import { lateCustomers } from './experiments/late.ts';
import { run } from './run.ts';

const { requirement, comparison } = bind(run);

describe('customers (interface, sections 2 and 4.1)', () => {
  requirement('customer.plain.accepted', {
    over: [plainCustomers, simultaneousCustomers, repeatedCustomers, wideCustomers, lateCustomers],
    answered: [plainCustomers, lateCustomers],
    // Beside plain input, what was refused once and then sent again just the same.
    only: ({ case: { category }, controlAccepted }) => category === 'plain' || controlAccepted === false,
    check: (observation) =>
      observation.controlAccepted === undefined
        ? mustBeAccepted('a 2xx response that carries the customer: its id, name and email')(observation)
        : sameOutcome('when it was sent before', observation),
    shrinking: null,
  });

  requirement('customer.body.object', {
    over: customerExperiments,
    only: isAccepted,
    check: ({ exchange: { reply } }) =>
      isObject(reply.json)
        ? undefined
        : {
            expected: 'a JSON object',
            actual: printable(reply.notJson ?? 'another JSON value'),
            pointer: '',
          },
  });

  requirement('customer.id.form', {
    over: customerExperiments,
    only: isAccepted,
    check: ({ exchange: { reply } }) => {
      const id = idOf(reply);
      return typeof id === 'string' && customerIdForm.test(id)
        ? undefined
        : violation('a string: cus_ followed by an identifier', id, '/id');
    },
  });

  comparison('customer.id.new', {
    over: customerExperiments,
    only: ({ accepted, exchange }) => accepted && typeof idOf(exchange.reply) === 'string',
    isById: true,
    compare: (observations) =>
      clash(
        observations,
        ({ exchange }) => shortId(idOf(exchange.reply) as string),
        (id) => violation('an id that no other customer of this run has', id, '/id'),
      ),
  });

  requirement('customer.name.echoed', {
    over: customerExperiments,
    only: isAccepted,
    check: ({ submitted, exchange }) => mustEcho('name', submitted.name, exchange.reply),
  });

  requirement('customer.email.echoed', {
    over: customerExperiments,
    only: isAccepted,
    check: ({ submitted, exchange }) => mustEcho('email', submitted.email, exchange.reply),
  });

  comparison('customer.reply.own', { over: customerExperiments, only: isAccepted, compare: crossed });

  requirement('customer.encoding.irrelevant', {
    over: [encodedCustomers],
    check: (observation) => sameOutcome('in its usual encoding', observation),
    shrinking: fc.record({ name: asIs<string>(), address: asIs<Address>(), style: anyStyle }),
  });
});

/** Whether an echo is the submitted value or a piece of it: changed perhaps, but no other request's. */
const isOf = (submitted: string, echoed: unknown): boolean =>
  typeof echoed === 'string' && submitted.toLowerCase().includes(echoed.toLowerCase());

/** The same input must have the same outcome; plain input, which has no control, must be accepted. */
function sameOutcome(
  when: string,
  { accepted, controlAccepted = true, exchange: { reply } }: CustomerObservation,
): Violation | undefined {
  if (accepted === controlAccepted) return undefined;
  const outcome = controlAccepted ? 'accepted, a 2xx response with the customer' : 'refused';
  return {
    expected: `what the same object had ${when}: ${outcome}`,
    actual: `${accepted ? 'accepted' : 'refused'}, status ${reply.status}`,
  };
}

/** A reply with a value that is not its own request's, but another one's. */
function crossed(observations: Iterable<CustomerObservation>): ReturnType<typeof clash<CustomerObservation>> {
  const owners = new Map<unknown, CustomerObservation>();
  for (const observation of observations) {
    owners.set(observation.submitted.email, observation);
    if (observation.submitted.name.length > 3) owners.set(observation.submitted.name, observation);
  }
  for (const second of observations) {
    for (const name of ['email', 'name'] as const) {
      const echoed = member(second.exchange.reply.json, name);
      const first = isOf(second.submitted[name], echoed) ? undefined : owners.get(echoed);
      if (first && first !== second) {
        const expected = `${JSON.stringify(second.submitted[name])}, as submitted, and never what another request submitted`;
        return { first, second, violation: violation(expected, echoed, `/${name}`) };
      }
    }
  }
  return undefined;
}
