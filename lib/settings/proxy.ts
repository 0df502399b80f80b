import { BlockList, isIP } from 'node:net';
import { UsageError } from './usage-error.ts';

/** A proxy between the suite and the target. */
export interface Proxy {
  /** Scheme, host and port, without credentials. */
  readonly origin: string;
  /** The variable that names it. */
  readonly variable: string;
  readonly credentials?: Credentials;
}

interface Credentials {
  readonly user: string;
  /** A secret. */
  readonly password: string;
}

/** Credentials as the Basic scheme encodes them (RFC 7617), a secret. */
export const basicOf = ({ user, password }: Credentials): string =>
  Buffer.from(`${user}:${password}`).toString('base64');

/** The headers for an HTTP proxy alone. */
export const proxyFields = ({ credentials }: Proxy): Readonly<Record<string, string>> =>
  credentials === undefined ? {} : { 'Proxy-Authorization': `Basic ${basicOf(credentials)}` };

/** Whether it is a SOCKS proxy, which connects to any host and port and does not read HTTP. */
export const isSocks = ({ origin }: Proxy): boolean => origin.startsWith('socks');

/** The proxy to a target, and why it was chosen, or none. */
export interface ProxyChoice {
  readonly proxy?: Proxy;
  /** Absent: no variable names one. */
  readonly reason?: string;
  /** Whether the variables may mean another proxy than is used. */
  readonly isInDoubt?: true;
}

/**
 * Chooses the proxy to a target as curl does: lower case comes first, an empty variable is not set, and HTTP_PROXY in
 * capitals is not read, as a client may set it in CGI. Beyond curl, NO_PROXY may name ports.
 * @param unwanted why no proxy is to be used; undefined: one may be
 * @param layers the environment, then `.env`
 * @throws {UsageError} which says what is wrong with a variable, without its value
 */
export function chooseProxy(
  baseUrl: string,
  unwanted: string | undefined,
  layers: readonly NodeJS.ProcessEnv[],
): ProxyChoice {
  const isSecure = baseUrl.startsWith('https:');
  const own = isSecure ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy'];
  const found = firstOf(layers, [...own, 'all_proxy', 'ALL_PROXY']);
  if (found === undefined) {
    const ignored = isSecure ? undefined : firstOf(layers, ['HTTP_PROXY']);
    return ignored
      ? { reason: 'no proxy: HTTP_PROXY in capitals is not read, as in curl', isInDoubt: true }
      : {};
  }
  const [variable, text] = found;
  if (unwanted !== undefined)
    return { reason: `not through the proxy in ${variable}, because of ${unwanted}` };
  const [exceptions, list] = firstOf(layers, ['no_proxy', 'NO_PROXY']) ?? ['', ''];
  if (isExcepted(baseUrl, list))
    return { reason: `not through the proxy in ${variable}, because of ${exceptions}` };
  const proxy = proxyIn(variable, text);
  return { proxy, reason: `through the proxy ${proxy.origin} (${variable})` };
}

/** The variables about proxies. */
export const proxyVariables = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => /^(?:https?|all|no)_proxy$/i.test(name)));

function firstOf(
  layers: readonly NodeJS.ProcessEnv[],
  names: readonly string[],
): readonly [string, string] | undefined {
  // An empty variable of the environment still overrides `.env`.
  const layer = layers.find((one) => names.some((name) => Object.hasOwn(one, name))) ?? {};
  for (const name of names) {
    const text = Object.hasOwn(layer, name) ? layer[name]?.trim() : undefined;
    if (text) return [name, text];
  }
  return undefined;
}

const EXPECTED =
  'expected the URL of a proxy, such as http://proxy.example.com:3128 or socks5h://127.0.0.1:1080';

/** curl's default ports of proxies, by scheme. */
const PORTS: Readonly<Record<string, number>> = {
  'http:': 1080,
  'https:': 443,
  'socks4:': 1080,
  'socks4a:': 1080,
  'socks5:': 1080,
  'socks5h:': 1080,
};

function proxyIn(variable: string, text: string): Proxy {
  const whole = /^[a-z][\w+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url === undefined || !Object.hasOwn(PORTS, url.protocol) || url.hostname === '')
    throw new UsageError(`${variable}: ${EXPECTED}`);
  const { protocol, hostname, username, password } = url;
  // The URL hides the port that is the default of its scheme.
  const [, port = String(PORTS[protocol])] = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(whole) ?? [];
  const origin = `${protocol}//${hostname}:${port}`;
  if (username === '' && password === '') return { origin, variable };
  try {
    const credentials = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    return { origin, variable, credentials };
  } catch {
    throw new UsageError(`${variable}: its user name or password is not percent-encoded`);
  }
}

/** Whether a list of exceptions names a host: itself, a domain above it, a range of addresses, or all by `*`. */
function isExcepted(baseUrl: string, list: string): boolean {
  if (list === '*') return true;
  const { host: written, port } = hostIn(baseUrl);
  const host = written.replace(/\.$/, '');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, bracketed, plain, wanted] =
        /^(?:\[([^\]]*)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
      const name = (bracketed ?? plain ?? '').replace(/^\.|\.$/g, '');
      if (name === '' || (wanted !== undefined && Number(wanted) !== port)) return false;
      return isIP(host) ? isInRange(host, name) : host === name || host.endsWith(`.${name}`);
    });
}

/** @param range an address, or one with a number of bits */
function isInRange(address: string, range: string): boolean {
  const [network = '', bits] = range.split('/');
  const family = isIP(network);
  if (family === 0 || family !== isIP(address)) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const maxPrefix = family === 6 ? 128 : 32;
  const prefix = bits === undefined ? maxPrefix : Number(bits);
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > maxPrefix) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, type);
  return list.check(address, type);
}

/** The host of a URL, without the brackets around an IPv6 address, which sockets do not have, and its port. */
export function hostIn(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  };
}
