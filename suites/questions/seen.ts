import type { CustomerObservation } from '../../lib/engine/customer.ts';
import type { TokenObservation } from '../../lib/engine/token.ts';
import type { Asked } from '../../lib/engine/question.ts';
import type { Json } from '../../lib/schemas/json.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { encodedCustomers, plainCustomers, simultaneousCustomers } from '../experiments/customers.ts';
import type { RefusalObservation } from '../experiments/refuse.ts';
import { refusedCustomers, refusedTokens } from '../experiments/refusals.ts';
import { encodedTokens, plainTokens } from '../experiments/tokens.ts';
import { seenIn } from './asking.ts';

/** The answer of the plain customers that were accepted, which every run has alike. */
export async function ofCustomers(answer: (found: readonly CustomerObservation[]) => Json): Promise<Asked> {
  const explorations = await Promise.all(
    [plainCustomers, simultaneousCustomers, encodedCustomers].map((experiment) => experiment.explore()),
  );
  const found = explorations
    .flatMap(({ observations }) => observations)
    .filter(({ accepted, case: { category } }) => accepted && category.startsWith('plain'));
  return seenIn(found, ({ exchange }) => exchange, answer);
}

/** The answer of the tokens that were issued for a plain request. */
export async function ofTokens(answer: (found: readonly TokenObservation[]) => Json): Promise<Asked> {
  const explorations = await Promise.all(
    [plainTokens, encodedTokens].map((experiment) => experiment.explore()),
  );
  const all = explorations.flatMap(({ observations }) => observations).filter(({ accepted }) => accepted);
  const base = all[0]?.case.input;
  const found = all.filter(
    ({ case: { input } }) =>
      input.expiresIn === base?.expiresIn && input.scopes.join() === base.scopes.join(),
  );
  return seenIn(found, ({ exchange }) => exchange, answer);
}

/** A refusal of credentials, and what of them was wrong. */
export interface Refused {
  readonly kind: string;
  readonly exchange: Exchange;
}

/** What was wrong with a credential, of the forgeries that every run begins with. */
function kindOf({ case: { input } }: RefusalObservation<unknown>): string | undefined {
  const { forgery, deviation, rule } = input;
  if (Object.keys(deviation).length > 0 || rule === 'each request') return undefined;
  if (forgery.kind === 'none') return 'missing';
  if (forgery.kind === 'change') return 'wrong';
  return forgery.kind === 'value' && forgery.template === 'Bearer' ? 'malformed' : undefined;
}

/** The answer of refused credentials, for both operations. */
export async function ofRefusals(answer: (found: readonly Refused[]) => Json): Promise<Asked> {
  const experiments = { customers: refusedCustomers, tokens: refusedTokens } as const;
  const found = await Promise.all(
    Object.entries(experiments).map(async ([operation, experiment]) => {
      const { observations } = await experiment.explore();
      return (observations as readonly RefusalObservation<unknown>[]).flatMap((observation): Refused[] => {
        const kind = kindOf(observation);
        const isTelling = !observation.accepted && observation.exchange.reply.status !== 429;
        return kind !== undefined && isTelling
          ? [{ kind: `${operation}, ${kind}`, exchange: observation.exchange }]
          : [];
      });
    }),
  );
  return seenIn(found.flat(), ({ exchange }) => exchange, answer);
}
