import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { customerRequest, tokenRequest } from '../inputs/schemas.ts';
import { callReader } from './call.ts';
import type { Call, Environment } from './call.ts';
import { correct } from './hooks.ts';
import type { Customer, Reason, Reply, Hooks } from './hooks.ts';
import { createTokenStore } from './token-store.ts';
import type { IssuedToken } from './token-store.ts';

/** What the reference service is made with. */
export interface ReferenceOptions {
  /** The static key that it accepts. */
  readonly apiKey: string;
  /** Milliseconds since 1970; a test's own clock may stand in. */
  readonly now?: () => number;
  /** Where it differs from the plainest service; nowhere unless said. */
  readonly hooks?: Hooks;
}

/** The service, and the tokens that it has issued and that have not expired. */
export interface ReferenceService {
  readonly app: Hono<Environment>;
  /** The token of this text, unless there is none or it has expired. */
  readonly tokenOf: (text: string) => IssuedToken | undefined;
}

const JSON_BODY = { 'Content-Type': 'application/json' };

/** The interface, kept to the letter; where it leaves a point open, the plainest choice. */
export function createReference({ apiKey, now = Date.now, hooks = {} }: ReferenceOptions): ReferenceService {
  const tokens = createTokenStore(now);
  const { route, ...at } = { ...correct, ...hooks };
  const app = new Hono<Environment>(
    route ? { getPath: (request) => route(new URL(request.url).pathname) } : {},
  );

  /** The body as JSON; undefined where it is none. */
  const jsonOf = async (call: Call): Promise<unknown> => {
    try {
      return at.parse(await at.decode(call.bytes, call), call);
    } catch {
      return undefined;
    }
  };
  const send = (context: Context<Environment>, { status, headers, body }: Reply): Response =>
    context.newResponse(body, status as StatusCode, { ...headers });
  const grant = (context: Context<Environment>, reply: Reply): Response =>
    send(context, at.respond(reply, context.var.call));
  const refuse = (
    context: Context<Environment>,
    reason: Reason,
    status: number,
    error: string,
    fields: Readonly<Record<string, string>> = {},
  ): Response => {
    const reply = { status, headers: { ...JSON_BODY, ...fields }, body: JSON.stringify({ error }) };
    return send(context, at.refuse(reply, reason, context.var.call));
  };

  app.use(callReader(apiKey, tokens));

  app.use(async (context, next) => {
    const { call } = context.var;
    if (!(await at.authenticate(call))) {
      return refuse(context, 'credential', 401, 'a static key is needed, in the Bearer scheme', {
        'WWW-Authenticate': 'Bearer realm="reference"',
      });
    }
    return next();
  });

  app.post('/v1/customers', async (context) => {
    const { call } = context.var;
    const body = customerRequest.safeParse(await jsonOf(call));
    if (!body.success) return refuse(context, 'body', 400, 'expected an object with name and email');
    if (!(await at.takesCustomer(body.data, call)))
      return refuse(context, 'values', 400, 'this name or this email is not taken here');
    const { name, email } = body.data;
    const fresh = `cus_${randomBytes(12).toString('base64url')}`;
    // A fault may put anything in the place of a member, or of the whole.
    const made = {
      id: await at.id(fresh, body.data, call),
      name: at.name(name, call),
      email: at.email(email, call),
    } as Customer;
    const customer = (await at.customer(made, call)) as Customer;
    const text = await at.serialise(customer, call);
    return grant(context, { status: 201, headers: JSON_BODY, body: text });
  });

  app.post('/v2/tokens', async (context) => {
    const { call } = context.var;
    const body = tokenRequest.safeParse(await jsonOf(call));
    if (!body.success) return refuse(context, 'body', 400, 'expected an object with scopes and expires_in');
    if (!(await at.takesToken(body.data, call)))
      return refuse(
        context,
        'values',
        400,
        'expected scopes of the form resource:action, for 1 to 86400 seconds',
      );
    const { scopes, expires_in: lifetime } = body.data;
    const fresh = `tok_${randomBytes(24).toString('base64url')}`;
    const token = (await at.token(fresh, body.data, call)) as string;
    const expiresAt = now() + lifetime * 1000;
    tokens.add(token, { scopes, expiresAt });
    const issued = { token, scopes, expires_in: lifetime, expires_at: new Date(expiresAt).toISOString() };
    const headers = { ...JSON_BODY, 'Cache-Control': 'no-store' };
    return grant(context, { status: 201, headers, body: JSON.stringify(at.tokenRecord(issued, call)) });
  });

  const onlyPost = (context: Context<Environment>): Response =>
    refuse(context, 'method', 405, 'only POST is known here', { Allow: 'POST' });
  app.all('/v1/customers', onlyPost);
  app.all('/v2/tokens', onlyPost);
  app.notFound((context: Context<Environment>) => refuse(context, 'path', 404, 'no such resource'));
  app.onError((_, context) => context.json({ error: 'the service failed' }, 500));

  return { app, tokenOf: tokens.find };
}
