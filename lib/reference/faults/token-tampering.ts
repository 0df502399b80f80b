import { parseJson } from '../../schemas/json.ts';
import type { TokenRequest } from '../../schemas/interface.ts';
import type { Call } from '../call.ts';
import { acceptsLifetime, acceptsScopes } from '../behaviour.ts';
import type { Behaviour } from '../behaviour.ts';
import { signedJwt } from '../jwt.ts';
import { faultsOf } from '../fault-or-variant.ts';
import { accepting, isAlive, isAllowed, isRight, lifetimeProfile } from '../token-use.ts';
import type { Use } from '../token-use.ts';

/** A signed JWT with the scopes and the end of the token. */
const jwt = (fresh: string, { scopes, expires_in: lifetime }: TokenRequest): string =>
  signedJwt({ scope: scopes.join(' '), exp: Math.floor(Date.now() / 1000) + lifetime, jti: fresh }, fresh);

/** A part of a JWT as JSON; undefined when it is none. */
const claims = (part = ''): Readonly<Record<string, unknown>> | undefined =>
  parseJson(Buffer.from(part, 'base64url').toString()) as Record<string, unknown> | undefined;

/** Accepts JWTs of which only some parts are verified. */
const verifying = (isSame: (issued: readonly string[], presented: readonly string[]) => boolean) =>
  accepting(isRight, {
    matches: (issued, presented) => issued === presented || isSame(issued.split('.'), presented.split('.')),
    form: jwt,
  });

/** Accepts tokens in the Bearer scheme, and less strictly in another place. */
const lessStrictIn =
  (presented: (call: Call) => string | undefined, isAccepted: (use: Use) => boolean) => (): Behaviour => {
    const [bearer, own] = [accepting(isRight)(), accepting(isAccepted, { presented })()];
    return {
      token: (fresh, request, call) => (
        bearer.token!(fresh, request, call),
        own.token!(fresh, request, call)
      ),
      authenticate: async (call) => (await bearer.authenticate!(call)) || own.authenticate!(call),
    };
  };

const inHeader =
  (name: string) =>
  ({ header }: Call): string | undefined =>
    header(name);

/** Accepts tokens in a header of the service's own only. */
const inOwnHeader = (isAccepted: (use: Use) => boolean) =>
  accepting(isAccepted, { presented: inHeader('X-Acme-Token') });

/** Looks up both halves of a token, each on its own. */
const halvesOfAny = (): Behaviour => {
  const [first, second] = [new Set<string>(), new Set<string>()];
  const inner = accepting(isRight, {
    matches: (issued, presented) =>
      issued.slice(0, 18) === presented.slice(0, 18) &&
      first.has(presented.slice(0, 18)) &&
      second.has(presented.slice(18)),
  })();
  return {
    ...inner,
    token(fresh, request, call) {
      first.add(fresh.slice(0, 18));
      second.add(fresh.slice(18));
      return inner.token!(fresh, request, call);
    },
  };
};

/** Whether the scopes of a token hold, as another token request left them. */
const ofTheLatest = (isAccepted: (own: TokenRequest, latest: TokenRequest) => boolean) => (): Behaviour => {
  const requests = new Map<string, TokenRequest>();
  let latest: TokenRequest | undefined;
  return {
    token(fresh, request) {
      requests.set(fresh, request);
      latest = request;
      return fresh;
    },
    authenticate({ hasKey, operation, token, credential = '' }) {
      const own = requests.get(credential);
      return (
        hasKey || (operation === 'customer' && token !== undefined && !!own && isAccepted(own, latest ?? own))
      );
    },
  };
};

const mayWrite = ({ scopes }: TokenRequest): boolean => scopes.includes('customers:write');

/** A token is accepted after a change, in another place, or for what other tokens allow. */
export const tokenTampering = [
  ...faultsOf('5.3: only the exact token is accepted', ['token.life.unaltered'], {
    profile: lifetimeProfile,
  })({
    'altered-signature-ignored': verifying(
      ([header, payload], [otherHeader, otherPayload]) => header === otherHeader && payload === otherPayload,
    ),
    'altered-header-ignored': verifying(
      ([, payload, signature], [, otherPayload, otherSignature]) =>
        payload === otherPayload && signature === otherSignature,
    ),
    'altered-payload-not-signed': verifying(
      ([header, , signature], [otherHeader, otherPayload, otherSignature]) =>
        header === otherHeader &&
        signature === otherSignature &&
        String(claims(otherPayload)?.['scope']).includes('customers:write'),
    ),
    'altered-algorithm-none': verifying(
      ([, payload], [otherHeader, otherPayload, otherSignature]) =>
        payload === otherPayload &&
        otherSignature === '' &&
        /^none$/i.test(String(claims(otherHeader)?.['alg'])),
    ),
    'altered-case-ignored': accepting(isRight, {
      matches: (issued, presented) => issued.toLowerCase() === presented.toLowerCase(),
    }),
    'altered-by-more-at-the-end': accepting(isRight, {
      matches: (issued, presented) => presented.startsWith(issued),
    }),
    'altered-algorithm-in-any-case': verifying(
      ([, payload], [otherHeader, otherPayload, otherSignature]) =>
        payload === otherPayload && otherSignature === '' && claims(otherHeader)?.['alg'] === 'None',
    ),
    'altered-further-parts-ignored': verifying((issued, presented) =>
      issued.every((part, at) => part === presented[at]),
    ),
    'altered-claims-verified-alone': verifying(
      ([header, payload, signature], [otherHeader, otherPayload, otherSignature]) =>
        header === otherHeader &&
        signature === otherSignature &&
        ['scope', 'exp', 'jti'].every((name) => claims(otherPayload)?.[name] === claims(payload)?.[name]),
    ),
    'altered-algorithm-unknown': verifying(
      ([, payload], [otherHeader, otherPayload, otherSignature = '']) =>
        payload === otherPayload && otherSignature !== '' && claims(otherHeader)?.['alg'] !== 'HS256',
    ),
    'altered-digits-ignored': accepting(isRight, {
      matches: (issued, presented) => issued.replaceAll(/[\dA]/g, '') === presented.replaceAll(/[\dA]/g, ''),
    }),
    'altered-prefix-optional': accepting(isRight, {
      matches: (issued, presented) => issued === presented || issued === `tok_${presented}`,
    }),
    'altered-percent-encoded': accepting(isRight, {
      matches: (issued, presented) =>
        issued ===
        presented.replaceAll(/%([\dA-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        ),
    }),
    'altered-half-of-another': halvesOfAny,
    'altered-middle-ignored': accepting(isRight, {
      matches: (issued, presented) =>
        issued.length === presented.length &&
        issued.slice(0, 16) === presented.slice(0, 16) &&
        issued.slice(20) === presented.slice(20),
    }),
  }),
  ...faultsOf('5.5: a token allows only what its scopes allow', ['token.life.scoped', 'token.scopes.allow'], {
    profile: lifetimeProfile,
  })({
    'scope-list-empty-allows-all': () => ({
      ...accepting((use) => isAlive(use) && (use.scopes.length === 0 || isAllowed(use)))(),
      acceptsToken: ({ scopes, expires_in: lifetime }) =>
        (scopes.length === 0 || acceptsScopes(scopes)) && acceptsLifetime(lifetime),
    }),
    'scope-of-the-latest-token': ofTheLatest((_, latest) => mayWrite(latest)),
    'scope-ignored-in-query': lessStrictIn(
      ({ url }) => url.searchParams.get('access_token') ?? undefined,
      isAlive,
    ),
    'scope-ignored-in-own-header': lessStrictIn(inHeader('X-Access-Token'), isAlive),
  }),
  ...faultsOf('5.6: a token is presented in the declared header', ['token.life.scoped', 'token.life.ended'], {
    profile: { ...lifetimeProfile, 'token.presentation': { header: 'X-Acme-Token' } },
  })({
    'scope-ignored-in-declared-header': inOwnHeader(isAlive),
    'life-without-end-in-declared-header': inOwnHeader(isAllowed),
  }),
  ...faultsOf('5.3: a token is accepted until it expires', ['token.life.accepted'], {
    profile: lifetimeProfile,
  })({
    'life-of-four-uses': accepting((use) => isRight(use) && use.uses < 4),
    'life-ends-with-the-next-token': ofTheLatest((own, latest) => mayWrite(own) && own === latest),
  }),
  ...faultsOf('5.3: tokens expire', ['token.life.ended'], { profile: lifetimeProfile })({
    'life-without-end-in-own-header': lessStrictIn(inHeader('X-Access-Token'), isAllowed),
    'life-without-end-once-used': accepting((use) => isAllowed(use) && (isAlive(use) || use.uses > 1)),
  }),
];
