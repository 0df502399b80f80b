import { Inconclusive } from '../../lib/engine/observation.ts';
import { probePath } from '../../lib/engine/operations/probe.ts';
import type { Probe } from '../../lib/engine/operations/probe.ts';
import type { Condition } from '../../lib/engine/operations/request.ts';
import type { Answered, Question } from '../../lib/engine/question.ts';
import type { Observed, Run, Scenario } from '../../lib/engine/scenario.ts';
import type { Json } from '../../lib/schemas/json.ts';
import type { Exchange } from '../../lib/target/exchange.ts';

/** A body with changed or added members; undefined ones are removed. */
export const withMembers = (body: object, changes: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries({ ...body, ...changes }).filter(([, value]) => value !== undefined));

export const acceptedOrRejected = ({ accepted }: { readonly accepted: boolean }): string =>
  accepted ? 'accepted' : 'rejected';

/** Asks whether each of several requests is accepted. @param over scenarios whose observations these depend on */
export const whichAccepted = (
  over: readonly Scenario[],
  probesOf: (run: Run, observed: Observed) => Readonly<Record<string, Promise<Probe>>>,
): Pick<Question, 'answer' | 'asked' | 'over' | 'ask'> => ({
  answer: 'accepted or rejected, for each',
  asked: 'probed',
  over,
  ask: async (run, observed) => {
    const probes = probesOf(run, observed);
    const results = await Promise.all(Object.values(probes));
    return {
      answer: Object.fromEntries(
        Object.keys(probes).map((kind, at) => [kind, acceptedOrRejected(results[at]!)]),
      ),
      exchanges: results.map(({ exchange }) => exchange),
    };
  },
});

/** A request without a content type, and with each of several. */
export const byContentType = (
  send: (condition: Condition) => Promise<Probe>,
): Record<string, Promise<Probe>> => ({
  none: send({ without: ['Content-Type'] }),
  ...Object.fromEntries(
    [
      'application/json; charset=utf-8',
      'application/vnd.api+json',
      'text/plain',
      'application/x-www-form-urlencoded',
    ].map((type) => [type, send({ fields: [['Content-Type', type]] })]),
  ),
});

const METHODS = ['GET', 'HEAD', 'OPTIONS'] as const;

/** The status of each path for each method. @param pathsByName paths by their names in the answer */
export async function statuses(
  run: Run,
  pathsByName: Readonly<Record<string, string>>,
  methods: readonly (typeof METHODS)[number][] = METHODS,
): Promise<Answered> {
  const requests = Object.entries(pathsByName).flatMap(([name, path]) =>
    methods.map((method) => ({ method, name, path })),
  );
  const exchanges = await Promise.all(requests.map(({ method, path }) => probePath(run, method, path)));
  return {
    answer: Object.fromEntries(
      requests.map(({ method, name }, at) => [`${method} ${name}`, exchanges[at]!.reply.status]),
    ),
    exchanges,
  };
}

/** An answer from observations of the run. @throws {Inconclusive} if there are none */
export function observedIn<O extends { readonly exchange: Exchange }, A extends Json | undefined>(
  observations: readonly O[],
  answer: (observations: readonly O[]) => A,
): Answered & { readonly answer: A } {
  if (observations.length === 0) throw new Inconclusive('no request had the outcome that shows it');
  return { answer: answer(observations), exchanges: observations.map(({ exchange }) => exchange) };
}

/** The form of an answer of `longestAccepted`. */
export const LONGEST_FORM = 'a number, "N or more" or "less than N"';

/**
 * Finds the greatest accepted length in few requests, by binary search: over the usual limits, then between two of
 * them. The exchanges are in reverse order: the decisive one comes first.
 * @param usual lengths that are usual limits, ascending
 */
export async function longestAccepted(
  usual: readonly number[],
  send: (length: number) => Promise<Probe>,
): Promise<Answered> {
  const exchanges: Exchange[] = [];
  const accepts = async (length: number): Promise<boolean> => {
    const { accepted, exchange } = await send(length);
    exchanges.push(exchange);
    return accepted;
  };
  const [shortest, longest] = [usual[0]!, usual.at(-1)!];
  if (await accepts(longest)) return { answer: `${longest} or more`, exchanges };
  if (!(await accepts(shortest)))
    return { answer: `less than ${shortest}`, exchanges: exchanges.toReversed() };
  const [low, high] = await bisect(0, usual.length - 1, (at) => accepts(usual[at]!));
  let [accepted, rejected] = [usual[low]!, usual[high]!];
  if (rejected - accepted > 1) {
    if (!(await accepts(accepted + 1))) rejected = accepted + 1;
    else if (rejected - accepted > 2) [accepted, rejected] = await bisect(accepted + 1, rejected, accepts);
    else accepted++;
  }
  return { answer: accepted, exchanges: exchanges.toReversed() };
}

/** Narrows the range between an accepted and a rejected number until they are neighbours. */
async function bisect(
  low: number,
  high: number,
  accepts: (at: number) => Promise<boolean>,
): Promise<[accepted: number, rejected: number]> {
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await accepts(middle)) low = middle;
    else high = middle;
  }
  return [low, high];
}
