import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import consumers from 'node:stream/consumers';
import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import type { TargetSettings } from '../settings/run-settings.ts';
import { readSettings } from '../settings/sources.ts';
import { firstContact } from './readiness/first-contact.ts';
import { openRun } from './run.ts';
import type { RunDefinition } from './run.ts';
import { scenario } from './scenario.ts';
import type { CaseSource, Run, Scenario } from './scenario.ts';
import { sendRequest } from './operations/request.ts';
import { listening } from '../selftest/services.ts';

/** The key of the services. */
export const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

interface Arrival {
  readonly path: string;
  readonly body: { readonly input?: string; readonly nonce?: string };
}

/** A service of the two operations that accepts any other request too, after a moment. */
interface TestService {
  readonly baseUrl: string;
  readonly arrivals: Arrival[];
  /** Paths, each with > when a request arrived and with < when the response was sent. */
  readonly order: string[];
  /** What is sent for inputs of a scenario, in the order of their arrival. */
  readonly inputsOf: (path: string) => string[];
  readonly noncesOf: (path: string) => string[];
}

/**
 * Starts a service, until the test ends.
 * @param waiting what a response waits for, by the number of its request, from 1
 */
export async function startTestService(
  status: (path: string) => number = () => 201,
  waiting = (path: string, _number: number): Promise<void> => delay(path.startsWith('/slow') ? 30 : 1),
): Promise<TestService> {
  const arrivals: Arrival[] = [];
  const order: string[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url!;
    const text = await consumers.text(request);
    const body = JSON.parse(text) as Arrival['body'];
    arrivals.push({ path, body });
    order.push(`>${path}`);
    const number = arrivals.length;
    await waiting(path, number);
    order.push(`<${path}`);
    const code = status(path);
    const reply =
      path === '/v2/tokens' ? { token: `q8Zr5xT1mVb7Kp2WnD4s${number}` } : { ...body, id: `cus_${number}` };
    response.writeHead(code, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(code < 300 ? reply : { error: 'rejected' }));
  });
  const { baseUrl } = await listening(server);
  const to = (path: string): Arrival[] => arrivals.filter((one) => one.path === path);
  return {
    baseUrl,
    arrivals,
    order,
    inputsOf: (path) => to(path).map(({ body }) => body.input!),
    noncesOf: (path) => to(path).map(({ body }) => body.nonce!),
  };
}

/** Opens a run, until the test ends. */
export function open(
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  definition: Partial<Omit<RunDefinition, 'settings'>> & { readonly settings?: Partial<TargetSettings> } = {},
): Run & { readonly reported: string[] } {
  const reported: string[] = [];
  const run = openRun({
    plan: [firstContact],
    requirements: [],
    report: (message) => {
      if ('text' in message) reported.push(message.text);
    },
    ...definition,
    settings: {
      ...readSettings({ flags: { seed: '7' } }),
      baseUrl,
      apiKey: KEY,
      embedded: false,
      ...definition.settings,
    },
  });
  onTestFinished(() => run.target.close());
  return Object.assign(run, { reported });
}

/** Sources of some cases. */
export const times = (count: number, arbitrary: fc.Arbitrary<string> = fc.uuid()): CaseSource<string>[] =>
  Array.from({ length: count }, () => ({ category: 'any', arbitrary }));

/** A scenario that sends to the path of its own name. */
export const scenarioTo = (name: string, more: Partial<Scenario<string>> = {}): Scenario<string> =>
  scenario<string>({
    name,
    shrinking: fc.string(),
    cases: () => times(3),
    send: sendRequest((input, nonce) => ({ method: 'POST', path: `/${name}`, json: { input, nonce } })),
    ...more,
  });

/** Explores all, also those that fail. */
export const exploreAll = async (run: Run, scenarios: readonly Scenario[]): Promise<void> => {
  run.start(scenarios);
  await Promise.allSettled(scenarios.map((one) => run.explore(one)));
};
