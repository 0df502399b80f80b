import { secondsReported } from '../../lib/engine/operations/expiry.ts';
import {
  PROPAGATION_TIME,
  declaredTokenLife,
  nameOfScopes,
  inRequests,
  usualPresentationsExcept,
  presenting,
  presentingAnywhere,
} from '../../lib/engine/operations/presentation.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import { plainBody, probeCustomer, probeToken } from '../../lib/engine/operations/probe.ts';
import type { Probe } from '../../lib/engine/operations/probe.ts';
import type { Condition } from '../../lib/engine/operations/request.ts';
import type { Observed, Run } from '../../lib/engine/scenario.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { acceptedToken } from './tokens.ts';

/** Lifetimes to try, in seconds: the shortest that leaves time for a slow response. */
const LIFETIMES_TO_TRY = [3, 5, 10, 15, 30, 60];

/** How often a token is presented as soon as it is issued. */
export const USES_AT_ONCE = 5;

/** Seconds between two presentations of an expired token: less than the shortest lifetime, as use may renew it. */
export const BETWEEN_USES = 2.4;

export interface Issued {
  readonly token: string;
  readonly exchange: Exchange;
  /** Its lifetime in seconds, as reported or as requested. */
  readonly seconds: number;
}

/** A token that the target accepts. */
export interface Accepted {
  readonly issued: Issued;
  readonly control: Exchange;
}

/** Functions that request tokens, and that present them in place of the key, to create plain customers. */
export function createTokenClient(run: Run, observed: Observed) {
  const life = declaredTokenLife(run.settings.profile);
  const { allowed, unit = 1, leeway, presentations } = life;
  let longestReported = 0;

  const request = async (
    scopes: readonly string[],
    seconds?: number,
  ): Promise<Issued | { readonly exchange: Exchange }> => {
    const plain = acceptedToken(observed)?.case.input.expiresIn ?? run.settings.tokenExpiresIn;
    const requested = seconds === undefined ? plain : Math.round(seconds / unit);
    const { token, exchange } = await probeToken(run, { scopes, expires_in: requested });
    if (token === undefined) return { exchange };
    return {
      token,
      exchange,
      seconds: secondsReported(exchange, token, { requested, unit }) ?? requested * unit,
    };
  };

  /** Requests a token with these scopes. @throws {Inconclusive} if none is issued */
  const issue = async (scopes: readonly string[]): Promise<Issued> => {
    const issued = await request(scopes);
    if (!('token' in issued)) throw noToken(scopes);
    return issued;
  };

  /**
   * Observes a token with the shortest accepted lifetime, or with a longer one if the token expired too early.
   * @param observe resolves to undefined if the token expired too early
   * @param minSeconds the shortest lifetime to try, in seconds
   * @throws {Inconclusive} if no accepted lifetime ends within the time budget
   */
  const withShortLife = async <O>(
    observe: (issued: Issued) => Promise<O | undefined>,
    minSeconds = 0,
  ): Promise<O> => {
    const fits = (seconds: number): boolean => (seconds + leeway + BETWEEN_USES) * 1000 < run.target.left;
    for (const wanted of LIFETIMES_TO_TRY) {
      if (wanted < minSeconds || !Number.isInteger(wanted / unit) || !fits(wanted)) continue;
      const issued = await request(allowed!, wanted);
      if (!('token' in issued) || !fits(issued.seconds)) continue;
      if (issued.seconds > longestReported) {
        longestReported = issued.seconds;
        run.remark(
          `waiting ${Math.ceil(issued.seconds)} s, while other tests continue, for a token to expire`,
        );
      }
      const observation = await observe(issued);
      if (observation) return observation;
    }
    throw new Inconclusive(
      'no accepted lifetime ends within the time budget; raise --time-budget beyond the shortest that the target accepts',
      'optional',
    );
  };

  const create = (condition: Condition): Promise<Probe> =>
    probeCustomer(run, () => plainBody(run), condition);

  /**
   * Presents a token as the profile declares, in one way after the other until it is accepted.
   * @param change what is changed in the token; undefined: nothing
   */
  const present = (token: string, change?: string): Promise<Probe> =>
    sendUntilAccepted(presentations.map((one) => () => create(presenting([one], token, change))));

  /** Presents a token that was just issued, once more if it may not be known yet. */
  const presentNew = async (token: string): Promise<Probe> => {
    const probe = await present(token);
    if (probe.accepted) return probe;
    await run.target.wait(PROPAGATION_TIME);
    return present(token);
  };

  /** Presents a token as the profile declares, then everywhere else: the rules of tokens hold wherever a service reads one. */
  const presentAnywhere = (token: string, change?: string): Promise<Probe> =>
    sendUntilAccepted([
      () => present(token, change),
      ...inRequests(usualPresentationsExcept(presentations, run.settings.route.headers), token).map(
        (others) => () => create(presentingAnywhere(others, token, change)),
      ),
    ]);

  /** @throws {Inconclusive} if the token is rejected */
  const accept = async ({ token }: Issued): Promise<Exchange> => {
    const { accepted, exchange } = await presentNew(token);
    if (!accepted) throw controlRejected();
    return exchange;
  };

  /** A token that is accepted. @throws {Inconclusive} if it is rejected */
  const issueAccepted = async (): Promise<Accepted> => {
    const issued = await issue(allowed!);
    return { issued, control: await accept(issued) };
  };

  return {
    run,
    life,
    request,
    issue,
    issueAccepted,
    withShortLife,
    present,
    presentNew,
    presentAnywhere,
    accept,
    create,
  };
}

/** The first of several probes that is accepted, or the first. */
async function sendUntilAccepted(probes: readonly (() => Promise<Probe>)[]): Promise<Probe> {
  let first: Probe | undefined;
  for (const send of probes) {
    const probe = await send();
    if (probe.accepted) return probe;
    first ??= probe;
  }
  return first!;
}

export const noToken = (scopes: readonly string[]): Inconclusive =>
  new Inconclusive(`no token was issued for ${nameOfScopes(scopes)}`);

export const controlRejected = (): Inconclusive =>
  new Inconclusive('the control, the same token just issued, was rejected');
