import { isObject } from '../../schemas/json.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { domainToASCII, domainToUnicode } from 'node:url';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { acceptsScopes } from '../behaviour.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Call } from '../call.ts';
import {
  acceptingOnly,
  acceptingScopes,
  countOf,
  domainOf,
  fields,
  isChunked,
  localOf,
  onAccepted,
  once,
  onCustomer,
  onRejected,
  onToken,
  otherWay,
  readingAlso,
  requiring,
} from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';
import { accepting, isRight, latestOnly, lifetimeProfile } from '../token-use.ts';

/** Accepts issued tokens for creating customers, where a request has them. */
const tokenIn = (presented: (call: Call) => string | undefined) => accepting(isRight, { presented });

/** Answers invalid credentials differently the more of them there were. */
const failing =
  (most: number, status: number, headers: Readonly<Record<string, string>> = {}) =>
  (): Behaviour => {
    let failures = 0;
    return {
      reject: (reply, reason) =>
        reason === 'credential' && ++failures % (most + 3) >= most
          ? { ...reply, status, headers: { ...reply.headers, ...headers } }
          : reply,
    };
  };

const coded = (codings: Readonly<Record<string, (text: string) => Uint8Array>>, over: number) =>
  onAccepted(({ headers, body }, { header }) => {
    const accepted = header('Accept-Encoding') ?? '';
    const coding = Object.keys(codings).find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
    const varied = { ...headers, Vary: 'Accept-Encoding' };
    return coding === undefined || typeof body !== 'string' || body.length <= over
      ? { headers: varied }
      : {
          headers: { ...varied, 'Content-Encoding': coding },
          body: new Uint8Array(codings[coding]!(body)),
        };
  });

/** The bytes of a token: the last of 43 characters for 32 bytes has two bits that decoders ignore. */
const bytesOf = (text: string): string =>
  /^tok_[\w-]{43}$/.test(text) ? Buffer.from(text.slice(4), 'base64url').toString('hex') : '';

const SCRIPTS = ['Latin', 'Greek', 'Cyrillic', 'Arabic', 'Hebrew', 'Han', 'Hiragana', 'Katakana', 'Hangul'];
const scriptsOf = (text: string): number =>
  SCRIPTS.filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(text)).length;

/** How unusual requests are read, rejected or answered. */
export const oddRequests = [
  ...variantsOf('5.6: how an issued token is presented on later requests is not shown')({
    'token-in-own-header': tokenIn(({ header }) => header('X-Access-Token')),
    'token-in-own-scheme': tokenIn(({ header }) => /^Token (\S+)$/i.exec(header('Authorization') ?? '')?.[1]),
    'token-in-cookie': tokenIn(({ header }) => /\btoken=([\w-]+)/.exec(header('Cookie') ?? '')?.[1]),
    'token-one-live-at-a-time': latestOnly(),
  }),
  ...variantsOf('5.6: how the text of a token is read is not shown; the profile declares what it allows', {
    profile: lifetimeProfile,
  })({
    'token-with-spare-bits': accepting(isRight, {
      form: (fresh) => `tok_${Buffer.from(fresh.slice(4)).toString('base64url')}`,
      matches: (issued, presented) => bytesOf(issued) === bytesOf(presented),
    }),
  }),
  ...variantsOf('5.1 and 7: several credentials and repeated failures are not shown')({
    'credential-in-any-of-several-fields': () => ({
      authenticate: ({ hasKey, incoming, key }) =>
        hasKey ||
        (incoming?.rawHeaders.some(
          (text, at, all) => /^authorization$/i.test(text) && at % 2 === 0 && all[at + 1] === `Bearer ${key}`,
        ) ??
          false),
    }),
    'failing-429-after-ten': failing(10, 429, { 'Retry-After': '1' }),
    'failing-429-without-a-word': failing(5, 429),
    'failing-403-after-twenty': failing(20, 403),
    'failing-503-after-ten': failing(10, 503, { 'Retry-After': '1' }),
    'failing-ever-slower': () => {
      let failures = 0;
      return {
        authenticate: async ({ hasKey }) => hasKey || (await sleep(Math.min(++failures * 4, 150)), false),
      };
    },
    'failing-with-a-page': onRejected(
      ({ headers }) => ({
        headers: { ...headers, 'Content-Type': 'text/html' },
        body: '<html><h1>401 Authorization Required</h1></html>',
      }),
      'credential',
    ),
    'cookies-on-every-reply': fields({ 'Set-Cookie': 'lb=a1b2c3; Path=/; HttpOnly' }),
  }),
  ...variantsOf('4: codings and notations beyond a JSON body are not shown')({
    'reads-gzip': () => ({
      decode: (bytes, { header, text }) =>
        header('Content-Encoding') === 'gzip' ? gunzipSync(bytes).toString() : text,
    }),
    'reads-forms': () => ({
      decode: (_, { header, text }) =>
        /form-urlencoded/.test(header('Content-Type') ?? '') && !text.trimStart().startsWith('{')
          ? JSON.stringify(Object.fromEntries(new URLSearchParams(text)))
          : text,
    }),
    'reads-comments-and-commas': readingAlso((text) =>
      text.replace(/\/\*.*?\*\/|\/\/.*$/gms, '').replace(/,(?=\s*[}\]])/g, ''),
    ),
    'rejects-members-twice': () => ({
      parse(text) {
        const names = [...text.matchAll(/"(name|email|scopes|expires_in)"\s*:/g)].map(([, name]) => name);
        if (new Set(names).size < names.length) throw new SyntaxError('a member twice');
        return JSON.parse(text) as unknown;
      },
    }),
    'coding-gzip-of-long-replies': coded({ gzip: (text) => gzipSync(text) }, 1024),
    'coding-best-that-is-accepted': coded(
      { br: (text) => brotliCompressSync(text), gzip: (text) => gzipSync(text) },
      0,
    ),
  }),
  ...variantsOf('2: constraints on name and email are not shown')({
    'names-of-one-script': acceptingOnly(({ name }) => scriptsOf(name) <= 1),
    'names-in-nfkc': acceptingOnly(({ name }) => name === name.normalize('NFKC'), 422),
    'names-without-ignorable': acceptingOnly(({ name }) => !/\p{Default_Ignorable_Code_Point}/u.test(name)),
    'names-without-attacks-403': acceptingOnly(
      ({ name }) => !/<\w|\bunion\b|' or |\$\{|\.\.\/|--/i.test(name),
      403,
    ),
    'names-of-4000-bytes-413': acceptingOnly(({ name }) => Buffer.byteLength(name) <= 4000, 413),
    'unique-names-in-any-case': once(({ name }) => name.normalize('NFKC').toLowerCase()),
    'unique-mailboxes': once(({ email }) => {
      const folded = email.normalize('NFKC').toLowerCase();
      return `${localOf(folded).replace(/\+.*$|\./g, '')}@${domainToASCII(domainOf(folded))}`;
    }),
    'emails-of-rfc-5321-lengths': acceptingOnly(
      ({ email }) =>
        localOf(email).length <= 64 &&
        email.length <= 254 &&
        domainOf(email)
          .split('.')
          .every((label) => label.length <= 63),
    ),
    'emails-without-quotes-and-literals': acceptingOnly(({ email }) => !/["[\]()<>\s\\]/.test(email), 422),
    'emails-of-mapped-domains': acceptingOnly(({ email }) => {
      const domain = domainOf(email);
      return /^\p{ASCII}*$/u.test(domain) || domainToUnicode(domainToASCII(domain)) === domain;
    }),
  }),
  ...variantsOf('5.4 and 5.5: which scopes are valid and how many is not shown')({
    'scopes-none-allow-nothing': acceptingScopes((scopes) => scopes.length === 0 || acceptsScopes(scopes)),
    'scopes-four-at-most': acceptingScopes((scopes) => scopes.length <= 4 && acceptsScopes(scopes)),
    'scopes-without-repetition': acceptingScopes(
      (scopes) => new Set(scopes).size === scopes.length && acceptsScopes(scopes),
    ),
  }),
  ...variantsOf('7: which requests are rejected, beside those that 4 describes, is not shown')({
    'odd-input-chunked-body-411': requiring(411, (call) => !isChunked(call)),
    'odd-input-other-charset-415': requiring(
      415,
      ({ header }) => !/charset=(?!"?utf-8"?\s*(?:;|$))/i.test(header('Content-Type') ?? ''),
    ),
    'odd-input-expect-417': () => ({
      server: (server) =>
        server.on('checkContinue', (_, response) => {
          response.writeHead(417, { 'Content-Type': 'application/json', Connection: 'close' });
          response.end('{"error":"no expectations"}');
        }),
    }),
    'odd-input-origin-403': requiring(403, ({ header }) => header('Origin') === undefined),
    'odd-input-query-400': requiring(400, ({ url }) => url.search === ''),
    // As JavaScript does, so an object becomes [object Object].
    'odd-input-members-made-texts': () => ({
      parse: (text, { operation }) => {
        const body = JSON.parse(text) as unknown;
        if (operation !== 'customer' || !isObject(body)) return body;
        return { ...body, name: String(body['name']), email: String(body['email']) };
      },
    }),
    // As other languages print a missing value.
    'odd-input-missing-members-made-null': () => ({
      parse: (text, { operation }) => {
        const body = JSON.parse(text) as unknown;
        return operation === 'customer' && isObject(body) ? { name: 'null', email: 'null', ...body } : body;
      },
    }),
    'odd-input-idempotency-key-400': requiring(400, ({ header }) => header('Idempotency-Key') === undefined),
    'odd-input-idempotency-key-once': () => {
      const known = new Set<string>();
      const repeated = new WeakSet<Call>();
      return {
        acceptsCustomer(_, call) {
          const key = call.header('Idempotency-Key');
          if (key === undefined || known.size < known.add(key).size) return true;
          repeated.add(call);
          return false;
        },
        reject: (reply, _, call) => (repeated.has(call) ? { ...reply, status: 409 } : reply),
      };
    },
  }),
  ...variantsOf('4.1: the success status is not shown, nor how long an answer takes')({
    'odd-input-long-name-202': otherWay(({ name }) => name.length > 100, { reply: { status: 202 } }),
    'odd-input-plus-tag-200': otherWay(({ email }) => email.includes('+'), { reply: { status: 200 } }),
    'odd-input-long-email-slow': otherWay(({ email }) => email.length > 80, { delay: 60 }),
    'odd-input-right-to-left-on-a-shard': otherWay(({ name }) => /[\u0590-\u08ff]/.test(name), {
      delay: 25,
      reply: { headers: { 'X-Shard': 'rtl-2' } },
    }),
    'odd-input-warned-of-invisible-characters': onCustomer((customer) =>
      /\p{Cf}/u.test(customer.name) ? { ...customer, warnings: ['invisible characters'] } : customer,
    ),
  }),
  ...variantsOf('2: constraints on name and email are not shown')({
    'odd-input-name-over-100-characters-422': acceptingOnly(({ name }) => [...name].length <= 100, 422),
    'odd-input-quoted-local-part-422': acceptingOnly(({ email }) => !email.startsWith('"'), 422),
    'odd-input-same-name-within-100-ms-409': () => {
      const times = new Map<string, number>();
      return acceptingOnly(({ name }) => {
        const since = performance.now() - (times.get(name) ?? -Infinity);
        times.set(name, performance.now());
        return since >= 100;
      }, 409)();
    },
  }),
  ...variantsOf('7: the responses to invalid credentials are not shown')({
    'odd-input-two-authorization-fields-400': onRejected(
      (reply, _, { incoming }) =>
        countOf(incoming, 'authorization') > 1
          ? { status: 400, headers: { 'Content-Type': 'application/json' } }
          : reply,
      'credential',
    ),
    'odd-input-credential-with-dots-403': onRejected(
      (reply, _, { credential = '' }) => (credential.includes('.') ? { status: 403 } : reply),
      'credential',
    ),
    'odd-input-credential-as-long-as-key-slow': () => ({
      async authenticate({ hasKey, credential = '', key }) {
        if (!hasKey && credential.length === key.length) await sleep(30);
        return hasKey;
      },
    }),
  }),
  ...variantsOf('4.2: the response is not shown, nor which requests are accepted')({
    'odd-input-many-scopes-202': onAccepted(
      (reply, { text }) =>
        (JSON.parse(text) as { scopes: string[] }).scopes.length > 20 ? { status: 202 } : reply,
      'token',
    ),
    'odd-input-at-most-five-scopes-once-each': () => ({
      ...acceptingScopes(
        (scopes) => scopes.length <= 5 && new Set(scopes).size === scopes.length && acceptsScopes(scopes),
      )(),
      reject: (reply, reason) => (reason === 'values' ? { ...reply, status: 422 } : reply),
    }),
    'odd-input-lifetime-reported-as-an-hour-at-most': onToken((record) => ({
      ...record,
      expires_in: Math.min(record.expires_in, 3600),
    })),
  }),
];
