import fc from 'fast-check';
import { secretsOf } from '../settings/route.ts';
import { isExploring } from '../settings/run-settings.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import { bearer } from '../target/credential.ts';
import type { Exchange } from '../target/exchange.ts';
import { createRedactor } from '../target/output/redactor.ts';
import { idOf } from './operations/customer.ts';
import { isSuccess } from '../target/reply.ts';
import { Target } from '../target/target.ts';
import { shortOf } from '../target/trouble.ts';
import type { Recorded } from './evidence/recorded.ts';
import { expectedRequests } from './readiness/budget.ts';
import { decideCaseCount } from './readiness/first-contact.ts';
import { REPEATED } from './observation.ts';
import { withinClientLimits } from './limits/client-limits.ts';
import { watchForLimits } from './limits/watch.ts';
import { createExplorer } from './explorer.ts';
import { ownWordsOf } from './own-words.ts';
import type { Message } from './reporter-channel.ts';
import { judgedBy } from './requirement.ts';
import type { Requirement } from './requirement.ts';
import { paths } from './operations/request.ts';
import { redactTokenReply } from './operations/redact-tokens.ts';
import { createNonces, hash } from './nonces.ts';
import { withUsed } from './scenario.ts';
import { createSampling } from './sampling.ts';
import type { Phase, Run, RunBase } from './scenario.ts';

export interface RunDefinition {
  readonly settings: TargetSettings;
  /** The order of the run. */
  readonly plan: readonly Phase[];
  /** All requirements that may be judged: a long run judges each observation on arrival. */
  readonly requirements: readonly Requirement[];
  /** Gets progress, remarks and secrets. */
  readonly report?: (message: Message) => void;
  /** The recorded observations of another run, to judge without sending anything. */
  readonly recorded?: Recorded | undefined;
  /** The run that this one continues, when it is over, with the rest of its budget. */
  readonly previous?: Run;
}

/** Exchanges that are kept from the start of a run, with or without an observation. */
const MAX_EXCHANGES = 2000;

export function openRun({
  settings,
  plan,
  requirements,
  report = () => {},
  recorded,
  previous,
}: RunDefinition): Run {
  const scenarios = plan.flatMap(({ sends }) => sends);
  const nonces = createNonces(
    scenarios.map(({ name }) => name),
    settings,
    previous?.runId(),
  );
  const given = secretsOf(settings);
  const isOwnWord = ownWordsOf(requirements, plan);
  const redactor =
    previous?.target.redactor ??
    createRedactor(
      (secret) => report({ secret }),
      (text) => isOwnWord(text) && !given.some((one) => one.text === text),
    );
  const remark = (text: string): void => report({ text: redactor.redact(text) });
  const created: string[] = [];
  const exchanges: Exchange[] = [];
  let cases = recorded?.cases ?? settings.cases;
  /** Added to each label once the target is known to accept each name only once. */
  let renewed = '';
  let expected = previous || !isExploring(settings) ? undefined : expectedRequests(settings);

  const limits = previous ? remainderOf(previous) : settings;
  const hooks = {
    onProgress(sent: number, retries: number) {
      const trouble =
        retries > 0 && target.lastTrouble ? redactor.redact(shortOf(target.lastTrouble)) : undefined;
      report({ requests: sent - retries, retries, expected, trouble });
    },
    onRemark: remark,
    onReply: (exchange: Exchange) => {
      redactTokenReply(redactor, exchange);
      created.push(...createdBy(exchange));
      if (exchanges.length < MAX_EXCHANGES) exchanges.push(exchange);
    },
    onCheck: (check: Pick<Exchange, 'request' | 'reply'>) => void created.push(...createdBy(check)),
    operationOf: timedOperation,
  };
  const target = new Target(settings, limits, hooks, redactor);
  if (recorded) target.stop('the run is judged from evidence; nothing is sent');
  for (const { text, label } of given) redactor.hide(text, label);

  const base: RunBase = {
    settings,
    target,
    credential: bearer(settings.apiKey),
    runId: nonces.runId,
    unique: nonces.unique,
    generate: (arbitrary, label) =>
      fc.sample(arbitrary, { seed: (settings.seed ^ hash(label + renewed)) | 0, numRuns: 1 })[0]!,
    exchanges,
    created,
    remark,
  };
  const limitWatch = watchForLimits(base);

  /** Waits for the run before this one, or for the first responses, which decide how many cases there is time for. */
  const begin = async (): Promise<void> => {
    await previous?.ready();
    await previous?.explored();
    cases = previous?.cases ?? (await decideCaseCount(run));
    expected &&= expectedRequests({ ...settings, cases });
  };
  let readiness: Promise<void> | undefined;

  const run: Run = {
    ...base,
    ...limitWatch,
    recorded,
    get cases() {
      return cases;
    },
    ready: () => (readiness ??= begin()),
    renewRunId: nonces.renew,
    renewInputs: () => void (renewed = nonces.runId()),
    shuffle: (items, round = 0) =>
      base.generate(
        fc.shuffledSubarray([...items], { minLength: items.length }),
        `order of ${items.length}${round > 0 ? `, round ${round}` : ''}`,
      ),
    start: (needed) => {
      if (recorded) return;
      const all = withUsed(needed);
      for (const scenario of scenarios) if (all.has(scenario)) run.explore(scenario).catch(() => {});
    },
    explore: (scenario) => explorer.explore(scenario),
    observed: (uses) => explorer.observed(uses),
    explored: () => explorer.explored(),
    repeat: async (scenario, input, category, name) => {
      const nonce = nonces.again(scenario.name, name);
      const sendOne = await explorer.sendOf(scenario);
      return (await sendOne({ scenario: scenario.name, index: REPEATED, category, input }, nonce)) as never;
    },
    ...withinClientLimits(base, limitWatch),
  };
  const explorer = createExplorer(run, {
    plan,
    nonceOf: nonces.ofCase,
    sampling: createSampling((observation) => judgedBy(run, requirements, observation)),
  });
  return run;
}

const remainderOf = ({ settings, target }: Run): TargetSettings => ({
  ...settings,
  get maxRequests() {
    return settings.maxRequests - target.traffic.requests;
  },
});

/** The operation of a request whose path is exactly that of one; others are not timed. */
function timedOperation({ request: { method, path } }: Exchange): string | undefined {
  const isOperation = method === 'POST' && Object.values<string>(paths).includes(path);
  return isOperation ? `${method} ${path}` : undefined;
}

/** The id of the customer that a response creates, if any. */
function createdBy({ request, reply }: Pick<Exchange, 'request' | 'reply'>): string[] {
  const id = isSuccess(reply) ? idOf(reply) : undefined;
  const isCreation = request.method === 'POST' && request.path.toLowerCase().includes('customers');
  return isCreation && typeof id === 'string' ? [id.slice(0, 200)] : [];
}
