import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { customerRequest, tokenRequest } from '../inputs/schemas.ts';

/** What the reference service is made with. */
export interface ReferenceOptions {
  /** The static key that it accepts. */
  readonly apiKey: string;
  /** Milliseconds since 1970; a test's own clock may stand in. */
  readonly now?: () => number;
}

/** A token that was issued: what it is for and when it ends. */
export interface IssuedToken {
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The service, and the tokens that it has issued and that have not expired. */
export interface ReferenceService {
  readonly app: Hono;
  /** The token of this text, unless there is none or it has expired. */
  readonly tokenOf: (text: string) => IssuedToken | undefined;
}

const LONGEST_LIFETIME = 86_400;
const SCOPE = /^[a-z]+:[a-z]+$/;

/** The interface, kept to the letter; where it leaves a point open, the plainest choice. */
export function createReference({ apiKey, now = Date.now }: ReferenceOptions): ReferenceService {
  const tokens = new Map<string, IssuedToken>();
  const app = new Hono();

  app.use(async (context, next) => {
    const credential = /^bearer (\S+)$/i.exec(context.req.header('Authorization') ?? '')?.[1];
    if (credential === undefined || !isSame(credential, apiKey)) {
      context.header('WWW-Authenticate', 'Bearer realm="reference"');
      return context.json({ error: 'a static key is needed, in the Bearer scheme' }, 401);
    }
    return next();
  });

  app.post('/v1/customers', async (context) => {
    const body = customerRequest.safeParse(await jsonOf(context));
    if (!body.success) return context.json({ error: 'expected an object with name and email' }, 400);
    const id = `cus_${randomBytes(12).toString('base64url')}`;
    return context.json({ id, name: body.data.name, email: body.data.email }, 201);
  });

  app.post('/v2/tokens', async (context) => {
    const body = tokenRequest.safeParse(await jsonOf(context));
    if (!body.success) return context.json({ error: 'expected an object with scopes and expires_in' }, 400);
    const { scopes, expires_in: lifetime } = body.data;
    if (scopes.length === 0 || !scopes.every((scope) => SCOPE.test(scope))) {
      return context.json({ error: 'expected scopes of the form resource:action' }, 400);
    }
    if (lifetime < 1 || lifetime > LONGEST_LIFETIME) {
      return context.json({ error: `expected expires_in from 1 to ${LONGEST_LIFETIME} seconds` }, 400);
    }
    const token = `tok_${randomBytes(24).toString('base64url')}`;
    const expiresAt = now() + lifetime * 1000;
    tokens.set(token, { scopes, expiresAt });
    context.header('Cache-Control', 'no-store');
    return context.json(
      { token, scopes, expires_in: lifetime, expires_at: new Date(expiresAt).toISOString() },
      201,
    );
  });

  const onlyPost = (context: Context): Response => {
    context.header('Allow', 'POST');
    return context.json({ error: 'only POST is known here' }, 405);
  };
  app.all('/v1/customers', onlyPost);
  app.all('/v2/tokens', onlyPost);
  app.notFound((context) => context.json({ error: 'no such resource' }, 404));
  app.onError((_, context) => context.json({ error: 'the service failed' }, 500));

  return {
    app,
    tokenOf(text) {
      const token = tokens.get(text);
      if (token && token.expiresAt > now()) return token;
      tokens.delete(text);
      return undefined;
    },
  };
}

/** The body as JSON; undefined where it is none. */
async function jsonOf(context: Context): Promise<unknown> {
  try {
    return JSON.parse(await context.req.text());
  } catch {
    return undefined;
  }
}

/** Compares in a time that does not tell how far two texts agree. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
