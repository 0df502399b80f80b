import type { Trial } from '../../lib/engine/experiment.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import type { Deviation } from '../../lib/engine/request.ts';
import { forge, forgedKey } from '../../lib/inputs/forgeries.ts';
import type { Forgery } from '../../lib/inputs/forgeries.ts';
import type { Channel } from '../../lib/target/channel.ts';
import { issuedBearer } from '../../lib/target/credential.ts';
import type { Credential } from '../../lib/target/credential.ts';
import { NoReply } from '../../lib/target/exchange.ts';
import type { Exchange, Request } from '../../lib/target/exchange.ts';
import { run } from '../run.ts';
import type { RefusalInput } from './forgery-plan.ts';
import { acceptedToken } from './tokens.ts';

/** What the target answered to a forged request, beside its accepted control. */
export interface RefusalObservation<B> extends Observation<RefusalInput<B>> {
  readonly control: Exchange;
  /** Whether it left on the connection that had just carried the control; undefined: not tried. */
  readonly sameConnection?: boolean;
}

/** One of the two operations, as far as forging its requests needs it. */
export interface Operation<B> {
  /** A request with the right key, accepted before. */
  readonly control: () => Promise<Exchange>;
  /** Sends a request with the right key; undefined: it was not accepted. */
  readonly grant: (
    base: B,
    mark: (tries: number) => string,
    connection?: Channel,
  ) => Promise<Exchange | undefined>;
  /** The request with another credential, and whether an answer to it carries the result. */
  readonly forge: (
    base: B,
    mark: string,
    credential: Credential | undefined,
    deviation: Deviation,
  ) => Promise<Forged>;
}

export interface Forged {
  readonly request: Request;
  readonly isAccepted: (exchange: Exchange) => boolean;
}

const MOST_THROTTLED = 5;
let throttledInARow = 0;
/** Rules, by experiment, that one case is waiting for or has been judged for. */
const attended = new Set<string>();

/** Sends a forged request and sees whether it was refused. */
export async function refuse<B>(
  trial: Trial<RefusalInput<B>>,
  operation: Operation<B>,
): Promise<RefusalObservation<B>> {
  if (trial.case.input.rule === 'each request') {
    try {
      return await run.target.withConnection((connection) => afterGrant(trial, operation, connection));
    } catch (error) {
      // A target may have no place for another connection; the shared ones carry grants as well.
      if (!(error instanceof NoReply)) throw error;
      return afterGrant(trial, operation);
    }
  }
  const control = await operation.control();
  return { ...(await sendForged(trial, operation)), control };
}

/** Sends the control and then the forged request. */
async function afterGrant<B>(
  trial: Trial<RefusalInput<B>>,
  operation: Operation<B>,
  connection?: Channel,
): Promise<RefusalObservation<B>> {
  const control = await operation.grant(
    trial.case.input.base,
    (tries) => `${trial.mark(tries)}c`,
    connection,
  );
  if (control === undefined) throw new Inconclusive('its control, just before it, was not accepted');
  const opened = connection?.connects();
  const observation = await sendForged(trial, operation, connection);
  return {
    ...observation,
    control,
    ...(connection ? { sameConnection: connection.connects() === opened } : {}),
  };
}

async function sendForged<B>(
  trial: Trial<RefusalInput<B>>,
  operation: Operation<B>,
  connection?: Channel,
): Promise<Omit<RefusalObservation<B>, 'control'>> {
  const { forgery, base, deviation, rule } = trial.case.input;
  const credential = forgery.kind === 'issued token' ? await issuedToken() : forged(forgery);
  const { request, isAccepted } = await operation.forge(base, trial.mark(0), credential, withKey(deviation));
  const queue = trial.case.experiment;
  const attends = !attended.has(`${queue} ${rule}`);
  attended.add(`${queue} ${rule}`);
  if (!attends && throttledInARow >= MOST_THROTTLED) {
    throw new Inconclusive('the target slows down whoever shows wrong credentials');
  }
  const exchange = await run.target.send(request, {
    queue,
    // The first case of a rule waits for as long as the target likes; the others may go without.
    throttling: attends ? 'wait alone' : 'answer',
    ...(connection ? { connection } : {}),
  });
  throttledInARow = exchange.reply.status === 429 ? throttledInARow + 1 : 0;
  return { case: trial.case, exchange, accepted: isAccepted(exchange) };
}

/** The forged credential, with whatever is nearly the key kept out of all output. */
function forged(forgery: Forgery): Credential | undefined {
  const { apiKey } = run.settings;
  if (forgery.kind !== 'none' && forgery.kind !== 'value' && forgery.kind !== 'other') {
    const text = forgedKey(forgery, apiKey);
    if (text.length >= apiKey.length / 2) run.target.redactor.hide(text, 'near miss of the key');
  }
  return forge(forgery, apiKey);
}

async function issuedToken(): Promise<Credential> {
  const token = await acceptedToken();
  if (!token) throw new Inconclusive('no token was issued');
  return issuedBearer(token.found!.text);
}

/** Puts the right key where it does not count. */
function withKey({ path, fields, ...others }: Deviation): Deviation {
  const { apiKey } = run.settings;
  return {
    ...others,
    ...(path && { path: path.replace('{key}', () => encodeURIComponent(apiKey)) }),
    ...(fields && {
      fields: fields.map(([name, value]) => [name, value.replace('{key}', () => apiKey)] as const),
    }),
  };
}
