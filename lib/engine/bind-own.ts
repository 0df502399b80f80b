import { test } from 'vitest';
import { isSuccess } from './customer.ts';
import { experiment } from './experiment.ts';
import type { Experiment } from './experiment.ts';
import type { Observation } from './observation.ts';
import type { Run } from './run.ts';
import { conceal } from './token.ts';
import { USER_AGENT } from '../target/channel.ts';
import { givenCredential, secretOf } from '../target/credential.ts';
import type { Request } from '../target/exchange.ts';
import { redactAll } from '../target/record.ts';
import { requirementIds } from './catalogue.ts';
import type { RequirementId } from './catalogue.ts';
import type { Finding } from './finding.ts';
import type { CustomFinding } from '../schemas/report.ts';
import { judgeEach } from './judge.ts';
import type { Define, OwnExperiment, OwnObservation, OwnRequest } from './own.ts';
import { printable } from '../target/printable.ts';
import { questionIds } from './questions.ts';
import { nothing, withoutVerdict } from './requirement.ts';
import type { Violation } from './violation.ts';

const ID = /^[a-z][\w-]*(?:\.[\w-]+)+$/;
const CASES = 20;

interface Observed<I> extends Observation<I> {
  readonly own: OwnObservation<I>;
}

/**
 * Binds suites of a vendor's own to a run.
 * @param source the file that is being loaded
 * @param defined hears of the title of each test
 */
export function bindOwn(run: Run, source: () => string, defined: (title: string) => void): Define {
  const experiments = new Map<unknown, Experiment<unknown, Observed<unknown>>>();
  const experimentOf = <I>(own: OwnExperiment<I>): Experiment<I, Observed<I>> => {
    const known = experiments.get(own) ?? explorationOf(run, own as OwnExperiment<unknown>, experiments.size);
    experiments.set(own, known);
    return known as unknown as Experiment<I, Observed<I>>;
  };
  const ids = new Set<string>([...requirementIds, ...questionIds]);
  return (id, statement, { over, only = ({ accepted }) => accepted, check }) => {
    if (!ID.test(id) || id.length > 80)
      throw new Error(
        `the id ${JSON.stringify(id)}: expected words separated by dots, such as acme.order.item`,
      );
    if (ids.has(id)) throw new Error(`the id ${id} is taken; begin with a word of your own`);
    ids.add(id);
    const home = experimentOf(over);
    // Of the later ones of many no more is left than their outcome.
    run.thinning.watch(home.name, id, (seen) => {
      const { own } = seen as Observed<unknown> as Observed<never>;
      return only(own) && inWords(check(own)) !== undefined;
    });
    defineOwn(run, { id, statement, source: source() }, defined, () =>
      judgeEach(run, id as RequirementId, {
        over: [home],
        only: ({ thin, own }) => thin === undefined && only(own),
        check: ({ own }) => inWords(check(own)),
      }),
    );
  };
}

/** A requirement of a vendor's own as a test: it never fails, as it has no part in the interface's verdict. */
export function defineOwn(
  run: Run,
  { id, statement, source }: Pick<CustomFinding, 'id' | 'statement' | 'source'>,
  defined: (title: string) => void,
  judge: () => Promise<Finding>,
): void {
  defined(`${id}: ${statement}`);
  test(`${id}: ${statement}`, async ({ task, signal, skip }) => {
    const stop = (): void => run.target.stop('the run was interrupted', 'interrupt');
    signal.addEventListener('abort', stop, { once: true });
    const { id: _, ...found } = await judge().catch((error: unknown) => unjudged(id as RequirementId, error));
    const finding: CustomFinding = { ...redactAll({ ...found, statement }, run.target.redactor), id, source };
    task.meta.own = finding;
    if (finding.verdict === 'untested' || finding.verdict === 'inconclusive') skip(finding.reason);
  });
}

/** What a vendor's code throws is no defect of ours, and no verdict of theirs. */
function unjudged(id: RequirementId, error: unknown): Finding {
  try {
    return withoutVerdict(id, error);
  } catch {
    return { ...nothing(id), verdict: 'inconclusive', reason: `it threw: ${String(error)}` };
  }
}

function explorationOf<I>(
  run: Run,
  { name, design }: OwnExperiment<I>,
  count: number,
): Experiment<I, Observed<I>> {
  const { inputs, cases = CASES, request: make, accepted = isSuccess } = design;
  return experiment<I, Observed<I>>(run, {
    name: `own: ${name}`,
    letter: `o${count}x`,
    shrinking: inputs,
    plan: async ({ send }) => {
      await send(Array.from({ length: cases }, () => ({ category: 'own', arbitrary: inputs })));
    },
    perform: async (trial) => {
      const { input } = trial.case;
      let request!: OwnRequest;
      const exchange = await run.target.send(
        (tries) => {
          request = make(input, trial.mark(tries));
          return requestOf(run, request);
        },
        { queue: `own: ${name}` },
      );
      conceal(run, exchange);
      const { reply } = exchange;
      const isAccepted = accepted(reply);
      return {
        case: trial.case,
        exchange,
        accepted: isAccepted,
        own: { input, request, reply, accepted: isAccepted },
      };
    },
  });
}

function requestOf(run: Run, { method, path, json, fields = [], authorization }: OwnRequest): Request {
  if (!/^\/[\x21-\x7e]*$/.test(path))
    throw new Error(
      `the path ${JSON.stringify(path)}: expected one that begins with /, all else percent-encoded`,
    );
  if (authorization) run.target.redactor.hide(secretOf(authorization), 'given credential');
  return {
    method,
    path,
    credential:
      authorization === undefined
        ? run.credential
        : authorization === null
          ? undefined
          : givenCredential(authorization),
    fields: [
      ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ['Accept', 'application/json'],
      ['User-Agent', USER_AGENT],
      ...fields,
    ],
    body: json === undefined ? undefined : Buffer.from(JSON.stringify(json)),
  };
}

/** What a check of a vendor's says, which may be code without types. @throws {TypeError} where it is no violation */
function inWords(violation: unknown): Violation | undefined {
  if (violation === undefined) return undefined;
  // It is looked at by nobody; its error must not end the run.
  if (violation instanceof Promise) violation.catch(() => {});
  const { expected, actual } = (violation ?? {}) as Partial<Violation>;
  if (typeof expected !== 'string' || typeof actual !== 'string')
    throw new TypeError(
      'check gave neither undefined nor { expected, actual }, two texts; it can wait for nothing (no async)',
    );
  return { ...(violation as Violation), expected: printable(expected), actual: printable(actual) };
}
