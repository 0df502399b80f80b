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

/** The numbers of requests that a phase sends, of what they create, and of those without the right key. */
const counts = ['requests', 'customers', 'tokens', 'invalidCredentials'] as const;
type Counts = Readonly<Record<(typeof counts)[number], number>>;

/** A phase with its numbers at a service that conforms. */
interface RehearsedPhase extends Counts {
  readonly name: string;
  readonly after: readonly string[];
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
  const totals = counts.map((one) => [one, rows.reduce((sum, row) => sum + row[one], 0)]);
  const all = { name: 'in all, about', after: [], ...(Object.fromEntries(totals) as Counts) };
  const width = Math.max(...[...rows, all].map(({ name }) => name.length));
  const line = (name: string, numbers: readonly (number | string)[], after: string): string =>
    `  ${name.padEnd(width)}${numbers.map((one) => String(one).padStart(12)).join('')}${after}`.trimEnd();
  /** The phase; if it sends nothing, those that it comes after. */
  const sending = (phase: string): readonly string[] =>
    phases.some(({ name }) => name === phase)
      ? [phase]
      : plan.find(({ name }) => name === phase)!.after.flatMap(sending);
  const rowLine = (row: RehearsedPhase): string => {
    const before = new Set(row.after.flatMap(sending));
    return line(
      row.name,
      counts.map((one) => row[one]),
      `  ${[...before].join(', ')}`,
    );
  };
  return [
    'Nothing was sent to the target. A service that conforms would receive:',
    line('phase', ['requests', 'customers', 'tokens', 'wrong keys'], '  after'),
    ...rows.map(rowLine),
    rowLine(all),
    'Failures need more requests: each failed case is shrunk, reproduced three times, and repeated alone. So do',
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
