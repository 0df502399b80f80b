import { casesOfShard, casesWithin, forQuestions } from '../engine/readiness/budget.ts';
import { selectedOf } from '../engine/selection.ts';
import { openRun } from '../engine/run.ts';
import { hasRightKey } from '../engine/scenario.ts';
import type { Scenario } from '../engine/scenario.ts';
import { asksAll } from '../settings/run-settings.ts';
import type { Settings } from '../settings/run-settings.ts';
import { catalogue, plan } from './from-suites.ts';
import { startTarget } from './start-target.ts';

/** Maximum number of cases that are rehearsed; a run with more sends one request for each of the others. */
const MAX_CASES = 1000;

/** The number of requests that a phase sends to a service that conforms, and of results. */
interface RehearsedPhase {
  readonly name: string;
  readonly after: readonly string[];
  readonly requests: number;
  readonly customers: number;
  readonly tokens: number;
  /** Requests without the right key, which a service may limit. */
  readonly invalidCredentials: number;
}

/**
 * The phases of a run as text, with the number of requests, customers and tokens of each. They are sent to the embedded
 * reference service in place of the target, because a phase depends on the responses before it.
 */
export async function planText(settings: Settings): Promise<string> {
  const cases = casesWithin(settings);
  const rehearsed = Math.min(cases, MAX_CASES);
  const more = casesOfShard({ ...settings, cases }) - casesOfShard({ ...settings, cases: rehearsed });
  const phases = await rehearse({ ...settings, cases: rehearsed });
  const growing = plan.find(({ sends }) => sends.some(({ isShared }: Scenario) => isShared));
  const rows = [
    ...phases.map((phase) =>
      phase.name === growing?.name
        ? { ...phase, requests: phase.requests + more, customers: phase.customers + more }
        : phase,
    ),
    ...(asksAll(settings) && settings.only === undefined
      ? [{ name: 'open questions', after: [], ...forQuestions }]
      : []),
  ];
  const total = (of: 'requests' | 'customers' | 'tokens' | 'invalidCredentials'): number =>
    rows.reduce((sum, row) => sum + row[of], 0);
  const all = {
    name: 'in all, about',
    after: [],
    requests: total('requests'),
    customers: total('customers'),
    tokens: total('tokens'),
    invalidCredentials: total('invalidCredentials'),
  };
  const width = Math.max(...[...rows, all].map(({ name }) => name.length));
  const line = (name: string, numbers: readonly (number | string)[], after: string): string =>
    `  ${name.padEnd(width)}${numbers.map((one) => String(one).padStart(12)).join('')}${after}`.trimEnd();
  /** The phase; if it sends nothing, those that it comes after. */
  const sending = (phase: string): readonly string[] =>
    phases.some(({ name }) => name === phase)
      ? [phase]
      : plan.find(({ name }) => name === phase)!.after.flatMap(sending);
  const rowLine = ({
    name,
    requests,
    customers,
    tokens,
    invalidCredentials,
    after,
  }: RehearsedPhase): string => {
    const before = [...new Set(after.flatMap(sending))];
    return line(
      name,
      [requests, customers, tokens, invalidCredentials],
      before.length === 0 ? '' : `  ${before.join(', ')}`,
    );
  };
  return [
    'Nothing was sent to the target. A service that conforms would receive:',
    line('phase', ['requests', 'customers', 'tokens', 'wrong keys'], '  after'),
    ...rows.map(rowLine),
    rowLine(all),
    'Failures need more requests: each failed case is shrunk, reproduced three times, and sent again alone. So do',
    'ids and tokens that seem to be chosen from few values: up to 500 more of each, until two must be equal.',
    '',
  ].join('\n');
}

/** Sends the phases to the reference service. */
async function rehearse(given: Settings): Promise<RehearsedPhase[]> {
  const { settings, stop } = await startTarget({
    ...given,
    baseUrl: undefined,
    apiKey: undefined,
    // Its tokens do not live as a profile declares, so a run would wait for them.
    profile: undefined,
    rate: 0,
  });
  const run = openRun({ settings, plan, requirements: [] });
  run.start(selectedOf(given, catalogue.requirements).flatMap(({ over }) => [...over]));
  await run.explored();
  await run.target.close();
  await stop();
  const own = Map.groupBy(run.exchanges, ({ queue }) => queue);
  return plan
    .map(({ name, after, sends }): RehearsedPhase => {
      const exchanges = sends.flatMap((scenario: Scenario) => own.get(scenario.name) ?? []);
      const created = (path: string): number =>
        exchanges.filter(
          ({ request, reply }) =>
            request.method === 'POST' && request.path.endsWith(path) && reply.status === 201,
        ).length;
      return {
        name,
        after,
        requests: exchanges.length,
        customers: created('/customers'),
        tokens: created('/tokens'),
        invalidCredentials: exchanges.filter((exchange) => !hasRightKey(run, exchange)).length,
      };
    })
    .filter(({ requests }) => requests > 0);
}
