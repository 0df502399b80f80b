import { domainToASCII, domainToUnicode } from 'node:url';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { acceptsLifetime, acceptsScopes } from '../behaviour.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Call } from '../call.ts';
import { sleep } from '../time.ts';
import { accepting, isRight } from '../token-use.ts';
import { acceptingOnly, fields, once, onAccepted, onRejected } from '../changes.ts';
import { lifetimeProfile } from '../token-use.ts';
import { variantsOf } from '../fault-or-variant.ts';

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

const partsOf = (email: string): [local: string, domain: string] => {
  const at = email.lastIndexOf('@');
  return [email.slice(0, at), email.slice(at + 1)];
};

const DECODED: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  gzip: (bytes) => gunzipSync(bytes).toString(),
};

/** How unusual requests are read, rejected or answered. */
export const oddRequests = [
  ...variantsOf('5.6: how an issued token is presented on later requests is not shown')({
    'token-in-own-header': tokenIn(({ header }) => header('X-Access-Token')),
    'token-in-own-scheme': tokenIn(({ header }) => /^Token (\S+)$/i.exec(header('Authorization') ?? '')?.[1]),
    'token-in-cookie': tokenIn(({ header }) => /\btoken=([\w-]+)/.exec(header('Cookie') ?? '')?.[1]),
    'token-one-live-at-a-time': () => {
      let live: string | undefined;
      return {
        token: (fresh) => (live = fresh),
        authenticate: ({ hasKey, operation, token, credential }) =>
          hasKey || (operation === 'customer' && token !== undefined && credential === live),
      };
    },
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
    'failing-with-a-page': onRejected(({ headers }, reason) =>
      reason === 'credential'
        ? {
            headers: { ...headers, 'Content-Type': 'text/html' },
            body: '<html><h1>401 Authorization Required</h1></html>',
          }
        : {},
    ),
    'cookies-on-every-reply': fields({ 'Set-Cookie': 'lb=a1b2c3; Path=/; HttpOnly' }),
  }),
  ...variantsOf('4: codings and notations beyond a JSON body are not shown')({
    'reads-gzip': () => ({
      decode: (bytes, { header, text }) => DECODED[header('Content-Encoding') ?? '']?.(bytes) ?? text,
    }),
    'reads-forms': () => ({
      decode: (_, { header, text }) =>
        /form-urlencoded/.test(header('Content-Type') ?? '') && !text.trimStart().startsWith('{')
          ? JSON.stringify(Object.fromEntries(new URLSearchParams(text)))
          : text,
    }),
    'reads-comments-and-commas': () => ({
      parse(text) {
        try {
          return JSON.parse(text) as unknown;
        } catch {
          return JSON.parse(
            text.replace(/\/\*.*?\*\/|\/\/.*$/gms, '').replace(/,(?=\s*[}\]])/g, ''),
          ) as unknown;
        }
      },
    }),
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
      const [local, domain] = partsOf(email.normalize('NFKC').toLowerCase());
      return `${local.replace(/\+.*$|\./g, '')}@${domainToASCII(domain)}`;
    }),
    'emails-of-rfc-5321-lengths': acceptingOnly(({ email }) => {
      const [local, domain] = partsOf(email);
      return (
        local.length <= 64 && email.length <= 254 && domain.split('.').every((label) => label.length <= 63)
      );
    }),
    'emails-without-quotes-and-literals': acceptingOnly(({ email }) => !/["[\]()<>\s\\]/.test(email), 422),
    'emails-of-mapped-domains': acceptingOnly(({ email }) => {
      const [, domain] = partsOf(email);
      return /^\p{ASCII}*$/u.test(domain) || domainToUnicode(domainToASCII(domain)) === domain;
    }),
  }),
  ...variantsOf('5.4 and 5.5: which scopes are valid and how many is not shown')({
    'scopes-none-allow-nothing': () => ({
      acceptsToken: ({ scopes, expires_in: lifetime }) =>
        (scopes.length === 0 || acceptsScopes(scopes)) && acceptsLifetime(lifetime),
    }),
    'scopes-four-at-most': () => ({
      acceptsToken: ({ scopes, expires_in: lifetime }) =>
        scopes.length <= 4 && acceptsScopes(scopes) && acceptsLifetime(lifetime),
    }),
    'scopes-without-repetition': () => ({
      acceptsToken: ({ scopes, expires_in: lifetime }) =>
        new Set(scopes).size === scopes.length && acceptsScopes(scopes) && acceptsLifetime(lifetime),
    }),
  }),
];
