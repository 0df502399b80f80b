import { setTimeout as sleep } from 'node:timers/promises';
import type { Customer, TokenRecord } from '../behaviour.ts';
import type { Call } from '../call.ts';
import {
  acceptsWhen,
  countOf,
  domainOf,
  everyNth,
  firstByKey,
  hashed,
  isChunked,
  localOf,
  onCustomer,
  onEmail,
  onName,
  onToken,
  otherWay,
} from '../changes.ts';
import { oneTokenFor } from './tokens.ts';
import { acceptsUnnormalisedPath, ALL_RULES, idsForBoth } from './authentication/key-checks.ts';
import { faultsOf } from '../fault-or-variant.ts';

const ECHOED = '4.1: name and email equal the submitted ones';
const NEW_ID = '4.1: the response carries a new id';
const AUTHENTICATED = '5: requests are authenticated with the key in the Bearer scheme';

const echoed = ['customer.name.echoed', 'customer.email.echoed', 'customer.encoding.irrelevant'];
const own = ['customer.reply.own', 'customer.id.new', ...echoed];
const authenticated = idsForBoth(...ALL_RULES);

const media = ({ header }: Call): string => header('Content-Type') ?? '';
const has = ({ header }: Call, name: string): boolean => header(name) !== undefined;
/** Needs two conditions at once, or three. */
const both = [
  ...faultsOf(
    AUTHENTICATED,
    authenticated,
  )({
    'hard-both-unchecked-if-chunked-with-charset': acceptsWhen(
      (call) => isChunked(call) && /;\s*charset=/i.test(media(call)),
    ),
    'hard-both-unchecked-if-via-and-forwarded-for': acceptsWhen(
      (call) => has(call, 'Via') && has(call, 'X-Forwarded-For'),
    ),
    'hard-both-unchecked-if-origin-and-requested-with': acceptsWhen(
      (call) => has(call, 'Origin') && call.header('X-Requested-With') === 'XMLHttpRequest',
    ),
    'hard-both-unchecked-if-internal-and-of-a-private-network': acceptsWhen(
      (call) => has(call, 'X-Internal') && call.header('X-Real-IP')?.startsWith('10.') === true,
    ),
    'hard-both-unchecked-if-user-and-loopback-for-customers': acceptsWhen(
      (call) =>
        call.operation === 'customer' &&
        has(call, 'X-Auth-Request-User') &&
        call.header('X-Forwarded-For')?.startsWith('127.') === true,
    ),
    'hard-both-any-case-of-key-if-cookie-and-small-scheme': acceptsWhen(
      (call) =>
        has(call, 'Cookie') &&
        call.header('Authorization')?.startsWith('bearer ') === true &&
        call.credential?.toLowerCase() === call.key.toLowerCase(),
    ),
  }),
  ...faultsOf(
    ECHOED,
    echoed,
  )({
    'hard-both-name-with-the-placeholder-of-the-email': onCustomer((customer) => ({
      ...customer,
      name: customer.name.replaceAll(/\{\{email\}\}|:email/g, customer.email),
    })),
    'hard-both-name-cut-if-long-and-plus-tag': onCustomer((customer) =>
      customer.name.length > 40 && localOf(customer.email).includes('+')
        ? { ...customer, name: customer.name.slice(0, 40) }
        : customer,
    ),
    'hard-both-name-cut-if-long-and-on-the-shard-of-t': onCustomer((customer) =>
      /^[t-z]/i.test(customer.email) ? { ...customer, name: customer.name.slice(0, 40) } : customer,
    ),
    'hard-both-email-lowered-if-name-beyond-ascii': onCustomer((customer) =>
      /[^\x00-\x7f]/.test(customer.name) ? { ...customer, email: customer.email.toLowerCase() } : customer,
    ),
    'hard-both-composed-if-charset-is-quoted': onName((name, call) =>
      /charset="/i.test(media(call)) ? name.normalize('NFC') : name,
    ),
    'hard-both-escaped-if-html-is-accepted': onName((name, { header }) =>
      (header('Accept') ?? '').includes('text/html')
        ? name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
        : name,
    ),
    'hard-both-swapped-if-chunked-and-email-first': onCustomer((customer, call) =>
      isChunked(call) && /^\s*\{\s*"email"/.test(call.text)
        ? { ...customer, name: customer.email, email: customer.name }
        : customer,
    ),
    'hard-both-email-lowered-in-turkish': onEmail((email, { header }) =>
      /^(?:tr|az)\b/i.test(header('Accept-Language') ?? '') ? email.toLocaleLowerCase('tr') : email,
    ),
    'hard-both-escaped-pair-lost-if-pretty': onName((name, { text }) =>
      text.includes('\n') && /\\ud[89ab]/i.test(text) ? name.replace(/[\u{10000}-\u{10ffff}]/gu, '�') : name,
    ),
    'hard-both-trimmed-if-capital-domain': onCustomer((customer) =>
      /[A-Z]/.test(domainOf(customer.email)) ? { ...customer, name: customer.name.trimEnd() } : customer,
    ),
  }),
  ...faultsOf('4.2: the operation issues a token and returns it', [
    'token.plain.accepted',
    'token.credential.present',
  ])({
    'hard-both-token-lost-if-scope-twice-and-long': onToken((record) =>
      new Set(record.scopes).size < record.scopes.length && record.expires_in >= 43_200
        ? { ...record, token: null }
        : record,
    ),
  }),
];

/** Happens once in hundreds of requests, or after hundreds. */
const rare = [
  ...faultsOf(NEW_ID, ['customer.id.new'])({
    'hard-rare-id-of-20-bits': () => ({
      id: (fresh) => `cus_${hashed(fresh, 20).toString(16).padStart(5, '0')}`,
    }),
    'hard-rare-id-of-milliseconds-and-8-bits': () => ({
      id: (fresh) => `cus_${(Date.now() * 256 + hashed(fresh, 8)).toString(36)}`,
    }),
    'hard-rare-id-wraps-at-1024': () => {
      let count = 0;
      return { id: () => `cus_${String(count++ % 1024).padStart(8, '0')}` };
    },
  }),
  ...faultsOf(
    ECHOED,
    own,
  )({
    'hard-rare-name-of-last-once-in-500': () => {
      let last = '';
      return {
        customer(customer) {
          const name = Math.random() < 1 / 500 ? last : customer.name;
          last = customer.name;
          return { ...customer, name };
        },
      };
    },
    'hard-rare-email-lost-once-in-1200': () => {
      const isLost = everyNth(1200);
      return { email: (email) => (isLost() ? '' : email) };
    },
    'hard-rare-reply-by-20-bits-of-body': () => {
      const first = firstByKey<Customer>();
      return { customer: (customer, { bytes }) => first(hashed(bytes, 20), customer) };
    },
    'hard-rare-submitted-twice-by-name-and-length': () => {
      const earlier = new Map<string, { time: number; customer: Customer }>();
      return {
        customer(customer) {
          const key = `${customer.name}\0${customer.email.length}`;
          const known = earlier.get(key);
          if (known && performance.now() - known.time < 50) return known.customer;
          earlier.set(key, { time: performance.now(), customer });
          return customer;
        },
      };
    },
    'hard-rare-name-of-earlier-after-1500': () => {
      const created: string[] = [];
      return {
        customer(customer) {
          created.push(customer.name);
          const count = created.length;
          return count > 1500 && count % 97 === 0 ? { ...customer, name: created[count - 1500] } : customer;
        },
      };
    },
  }),
  ...faultsOf(
    AUTHENTICATED,
    authenticated,
  )({
    'hard-rare-every-128th-rejection-forgotten': () => {
      const isForgotten = everyNth(128);
      return { authenticate: ({ hasKey }) => hasKey || isForgotten() };
    },
  }),
];

/** Handles a kind of input differently, which shows, and wrongly for some of it. */
const leads = [
  ...faultsOf(
    ECHOED,
    echoed,
  )({
    'hard-lead-queued-name-loses-last-emoji': otherWay(({ name }) => name.length > 100, {
      reply: { status: 202 },
      change: (customer) => ({ ...customer, name: customer.name.replace(/[\u{10000}-\u{10ffff}]$/u, '') }),
    }),
    'hard-lead-slow-email-lowered': otherWay(({ email }) => email.length > 80, {
      delay: 40,
      change: (customer) => ({ ...customer, email: customer.email.toLowerCase() }),
    }),
    'hard-lead-shard-moves-last-punctuation': otherWay(({ name }) => /[\u0590-\u08ff]/.test(name), {
      reply: { headers: { 'X-Shard': 'rtl-2' } },
      change: (customer) => ({ ...customer, name: customer.name.replace(/^(.*)([.!?)])$/su, '$2$1') }),
    }),
    'hard-lead-200-cuts-second-plus': otherWay(({ email }) => localOf(email).includes('+'), {
      reply: { status: 200 },
      change: (customer) => ({
        ...customer,
        email: customer.email.replace(/^([^+]*\+[^+]*)\+.*(@[^@]*)$/su, '$1$2'),
      }),
    }),
    'hard-lead-warned-name-loses-non-joiner': otherWay(({ name }) => /\p{Cf}/u.test(name), {
      change: (customer) => ({
        ...customer,
        name: customer.name.replaceAll('\u200c', ''),
        warnings: ['invisible characters'],
      }),
    }),
    'hard-lead-spooled-body-split-at-2048': () => ({
      async decode(bytes, { text }) {
        if (bytes.length <= 2048) return text;
        await sleep(30);
        return [bytes.subarray(0, 2048), bytes.subarray(2048)]
          .map((part) => Buffer.from(part).toString())
          .join('');
      },
    }),
    'hard-lead-cached-name-in-other-case': () => {
      const cached = new Map<string, string>();
      const hits = new WeakSet<Call>();
      return {
        name(name, call) {
          const key = name.toLowerCase();
          const known = cached.get(key);
          if (known !== undefined) hits.add(call);
          else cached.set(key, name);
          return known ?? name;
        },
        respond: (reply, call) => ({
          ...reply,
          headers: { ...reply.headers, 'X-Cache': hits.has(call) ? 'HIT' : 'MISS' },
        }),
      };
    },
  }),
  ...faultsOf(
    AUTHENTICATED,
    authenticated,
  )({
    'hard-lead-slow-lookup-ignores-case-of-last-8': () => ({
      async authenticate({ hasKey, credential = '', key }) {
        if (hasKey || credential.length !== key.length) return hasKey;
        await sleep(30);
        const isSameEnd = credential.slice(-8).toLowerCase() === key.slice(-8).toLowerCase();
        return isSameEnd && credential.slice(0, -8) === key.slice(0, -8);
      },
    }),
  }),
  ...faultsOf('4.2: the operation issues a token and returns it', [
    'token.plain.accepted',
    'token.credential.present',
  ])({
    'hard-lead-202-token-lost-over-512-bytes-of-scopes': () => ({
      tokenRecord: ({ token, ...record }) =>
        record.scopes.length > 20 && JSON.stringify(record.scopes).length > 512
          ? record
          : { token, ...record },
      respond: (reply, { operation, text }) =>
        operation === 'token' && (JSON.parse(text) as TokenRecord).scopes.length > 20
          ? { ...reply, status: 202 }
          : reply,
    }),
  }),
];

/** Depends on what the text says, or on how it is written. */
const texts = faultsOf(
  ECHOED,
  echoed,
)({
  'hard-text-last-word-null': onName((name) => name.replace(/ null$/i, '')),
  'hard-text-rude-syllable': onName((name) => name.replace(/(?<=\p{L})cock|dick(?=\p{L})|cunt/giu, '****')),
  'hard-text-sql-word-not-first': onName((name) => name.replace(/ (?:select|union|drop|delete)\b/gi, '')),
  'hard-text-thai-am-taken-apart': onName((name) =>
    name.replaceAll('\u0e33', '\u0e4d\u0e32').replaceAll('\u0eb3', '\u0ecd\u0eb2'),
  ),
  'hard-text-hebrew-marks-reordered': onName((name) =>
    name.replace(/[\u05d0-\u05ea][\u0591-\u05c7]{2,}/g, (letter) => letter.normalize('NFD')),
  ),
  'hard-text-255-bytes-lose-last': onName((name) =>
    Buffer.byteLength(name) === 255 ? [...name].slice(0, -1).join('') : name,
  ),
  'hard-text-quoted-local-part-unescaped': onEmail((email) =>
    email.startsWith('"') ? email.replace(/\\(.)/g, '$1') : email,
  ),
  'hard-text-address-literal-lowered': onEmail((email) =>
    email.replace(/@\[[^\]]*\]$/, (literal) => literal.toLowerCase()),
  ),
  'hard-text-domain-by-idna-2003': onEmail((email) =>
    email.replace(/[^@]*$/, (domain) => domain.replaceAll('ß', 'ss').replaceAll('ς', 'σ')),
  ),
  'hard-text-compatibility-ideographs-unified': onName((name) =>
    name.replace(/[\uf900-\ufaff]|[\u{2f800}-\u{2fa1f}]/gu, (character) => character.normalize('NFC')),
  ),
});

/** Compares the key in another way, or does not check every request. */
const credentials = faultsOf(
  AUTHENTICATED,
  authenticated,
)({
  'hard-auth-key-by-7-bits-of-hash': acceptsWhen(
    ({ credential, key }) => credential !== undefined && hashed(credential, 7) === hashed(key, 7),
  ),
  'hard-auth-key-after-compatibility-normalisation': acceptsWhen(({ credential = '', key }) =>
    [credential, Buffer.from(credential, 'latin1').toString()].some((text) => text.normalize('NFKC') === key),
  ),
  'hard-auth-two-fields-unread': acceptsWhen(({ incoming }) => countOf(incoming, 'authorization') > 1),
  'hard-auth-key-as-user-of-basic': acceptsWhen(({ credential, key }) =>
    [key, `${key}:`].some((text) => Buffer.from(text).toString('base64') === credential),
  ),
  'hard-auth-proxy-field-before-wrong-key': acceptsWhen(
    ({ credential, header, key }) =>
      credential !== undefined && header('Proxy-Authorization') === `Bearer ${key}`,
  ),
  'hard-auth-known-body-for-two-seconds': () => {
    const known = new Map<string, number>();
    return {
      authenticate({ hasKey, operation, text }) {
        const key = `${operation} ${text}`;
        if (hasKey) known.set(key, performance.now());
        return hasKey || performance.now() - (known.get(key) ?? -Infinity) < 2000;
      },
    };
  },
  'hard-auth-trusted-after-ten-on-connection': () => {
    const accepted = new WeakMap<object, number>();
    return {
      authenticate({ hasKey, connection }) {
        const count = accepted.get(connection) ?? 0;
        if (count >= 10) return true;
        accepted.set(connection, hasKey ? count + 1 : 0);
        return hasKey;
      },
    };
  },
  'hard-auth-long-credential-cut-to-key': acceptsWhen(
    ({ credential = '', key }) => credential.length > 128 && credential.startsWith(key),
  ),
  'hard-auth-hyphen-as-underscore': acceptsWhen(
    ({ credential = '', key }) => credential.replaceAll('-', '_') === key.replaceAll('-', '_'),
  ),
  'hard-auth-comma-after-key': acceptsWhen(
    ({ header, key }) => /^bearer ([^,]+),/i.exec(header('Authorization') ?? '')?.[1] === key,
  ),
  'hard-auth-slash-after-tokens-alone': acceptsUnnormalisedPath((path) => path.replace(/(?<=tokens)\/$/, '')),
  'hard-auth-colon-after-scheme': acceptsWhen(
    ({ header, key }) => /^bearer: *(\S+)$/i.exec(header('Authorization') ?? '')?.[1] === key,
  ),
});

const tokens = [
  ...faultsOf('4.2: the token is for the requested scopes and lifetime', ['token.credential.distinct'])({
    'hard-token-by-first-two-scopes': oneTokenFor(
      ({ scopes, expires_in: lifetime }) => `${scopes.slice(0, 2).join(' ')} ${scopes.length} ${lifetime}`,
    ),
    'hard-token-by-begun-minutes': oneTokenFor(
      ({ scopes, expires_in: lifetime }) => `${scopes.join(' ')} ${Math.ceil(lifetime / 60)}`,
    ),
    'hard-token-by-10-bits-of-request': oneTokenFor(({ scopes, expires_in: lifetime }) =>
      String(hashed(`${scopes.join(' ')} ${lifetime}`, 10)),
    ),
  }),
  ...faultsOf('4.2: the operation issues a token and returns it', [
    'token.plain.accepted',
    'token.credential.present',
  ])({
    'hard-token-lost-over-65535-seconds': onToken(({ token, ...record }) =>
      record.expires_in > 65_535 ? record : { token, ...record },
    ),
  }),
];

/** Hard faults that a default run finds too, at every seed that was tried. */
const FOUND_BY_DEFAULT = new Set([
  'hard-both-unchecked-if-via-and-forwarded-for',
  'hard-both-unchecked-if-origin-and-requested-with',
  'hard-both-name-cut-if-long-and-plus-tag',
  'hard-both-email-lowered-if-name-beyond-ascii',
  'hard-rare-reply-by-20-bits-of-body',
  'hard-rare-submitted-twice-by-name-and-length',
  'hard-lead-200-cuts-second-plus',
  'hard-lead-warned-name-loses-non-joiner',
  'hard-lead-spooled-body-split-at-2048',
  'hard-lead-cached-name-in-other-case',
  'hard-lead-202-token-lost-over-512-bytes-of-scopes',
  'hard-text-last-word-null',
  'hard-text-rude-syllable',
  'hard-text-sql-word-not-first',
  'hard-text-thai-am-taken-apart',
  'hard-text-255-bytes-lose-last',
  'hard-text-quoted-local-part-unescaped',
  'hard-text-address-literal-lowered',
  'hard-text-domain-by-idna-2003',
  'hard-text-compatibility-ideographs-unified',
  'hard-auth-two-fields-unread',
  'hard-auth-key-as-user-of-basic',
  'hard-auth-proxy-field-before-wrong-key',
  'hard-auth-known-body-for-two-seconds',
  'hard-auth-trusted-after-ten-on-connection',
  'hard-auth-hyphen-as-underscore',
  'hard-auth-colon-after-scheme',
  'hard-token-by-begun-minutes',
  'hard-token-lost-over-65535-seconds',
]);

/** Faults that someone wrote from the interface alone, without knowing what the suite sends. */
export const hard = [...both, ...rare, ...leads, ...texts, ...credentials, ...tokens].map((fault) =>
  FOUND_BY_DEFAULT.has(fault.name) ? fault : { ...fault, depth: 'deep' as const },
);
