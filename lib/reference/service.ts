import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { customerRequest, tokenRequest } from '../schemas/interface.ts';
import { callReader } from './call.ts';
import type { Call, HonoEnvironment, IssuedToken } from './call.ts';
import { defaults } from './behaviour.ts';
import type { Customer, ServiceHooks, Reason, ServiceReply } from './behaviour.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };

/**
 * A minimal implementation of the interface, with the simplest choice at each point that it does not specify.
 * @param apiKey the static key that it accepts
 * @param hooks changes to its behaviour
 */
export function createReference(apiKey: string, hooks: ServiceHooks = {}): Hono<HonoEnvironment> {
  const { route, ...at } = { ...defaults, ...hooks };
  const app = new Hono<HonoEnvironment>(
    route ? { getPath: (request) => route(new URL(request.url).pathname) } : {},
  );

  const tokens = new Map<string, IssuedToken>();
  /** The issued token with this text; undefined if there is none, or it has expired. */
  const tokenOf = (text: string): IssuedToken | undefined => {
    const token = tokens.get(text);
    if (token && token.expiresAt > Date.now()) return token;
    tokens.delete(text);
    return undefined;
  };

  /** The body as JSON; undefined when it is not JSON. */
  const jsonOf = async (call: Call): Promise<unknown> => {
    try {
      return at.parse(await at.decode(call.bytes, call), call);
    } catch {
      return undefined;
    }
  };
  const send = (context: Context<HonoEnvironment>, { status, headers, body }: ServiceReply): Response =>
    context.newResponse(body, status as StatusCode, { ...headers });
  const respond = (context: Context<HonoEnvironment>, reply: ServiceReply): Response =>
    send(context, at.respond(reply, context.var.call));
  const reject = (
    context: Context<HonoEnvironment>,
    reason: Reason,
    status: number,
    error: string,
    fields: Readonly<Record<string, string>> = {},
  ): Response => {
    const reply = { status, headers: { ...JSON_BODY, ...fields }, body: JSON.stringify({ error }) };
    return send(context, at.reject(reply, reason, context.var.call));
  };

  app.use(callReader(apiKey, tokenOf));

  app.use(async (context, next) => {
    if (!(await at.authenticate(context.var.call))) {
      return reject(context, 'credential', 401, 'expected the static key in the Bearer scheme', {
        'WWW-Authenticate': 'Bearer realm="reference"',
      });
    }
    return next();
  });

  app.post('/v1/customers', async (context) => {
    const { call } = context.var;
    const body = customerRequest.safeParse(await jsonOf(call));
    if (!body.success) return reject(context, 'body', 400, 'expected an object with name and email');
    if (!(await at.acceptsCustomer(body.data, call)))
      return reject(context, 'values', 400, 'this name or email is not accepted');
    const { name, email } = body.data;
    const fresh = `cus_${randomBytes(12).toString('base64url')}`;
    // A fault may replace a member, or the whole record, with a value of any type.
    const created = {
      id: await at.id(fresh, body.data, call),
      name: at.name(name, call),
      email: at.email(email, call),
    } as Customer;
    const customer = (await at.customer(created, call)) as Customer;
    const text = await at.serialise(customer, call);
    return respond(context, { status: 201, headers: JSON_BODY, body: text });
  });

  app.post('/v2/tokens', async (context) => {
    const { call } = context.var;
    const body = tokenRequest.safeParse(await jsonOf(call));
    if (!body.success) return reject(context, 'body', 400, 'expected an object with scopes and expires_in');
    if (!(await at.acceptsToken(body.data, call)))
      return reject(
        context,
        'values',
        400,
        'expected scopes of the form resource:action, and expires_in from 1 to 86400 seconds',
      );
    const { scopes, expires_in: lifetime } = body.data;
    const fresh = `tok_${randomBytes(24).toString('base64url')}`;
    const token = (await at.token(fresh, body.data, call)) as string;
    const expiresAt = Date.now() + lifetime * 1000;
    tokens.set(token, { scopes, expiresAt });
    const issued = { token, scopes, expires_in: lifetime, expires_at: new Date(expiresAt).toISOString() };
    const headers = { ...JSON_BODY, 'Cache-Control': 'no-store' };
    return respond(context, { status: 201, headers, body: JSON.stringify(at.tokenRecord(issued, call)) });
  });

  const onlyPost = (context: Context<HonoEnvironment>): Response =>
    reject(context, 'method', 405, 'only POST is supported', { Allow: 'POST' });
  app.all('/v1/customers', onlyPost);
  app.all('/v2/tokens', onlyPost);
  app.notFound((context: Context<HonoEnvironment>) => reject(context, 'path', 404, 'no such resource'));
  app.onError((_, context) => context.json({ error: 'the service failed' }, 500));

  return app;
}
