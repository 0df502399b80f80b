import { valueOf, fieldIn } from '../../settings/headers.ts';
import { suite } from '../../settings/package-root.ts';
import { proxyFields } from '../../settings/proxy.ts';
import type { Route } from '../../settings/route.ts';
import type { Endpoint } from './dial.ts';
import type { Request } from '../exchange.ts';

type Fields = Request['fields'];

/** Identifies the suite in the target's log (RFC 9110, section 10.1.5). */
const USER_AGENT = `${suite.name}/${suite.version} (+conformance test)`;

/** Headers of every request beside its credential and those of its body, unless it replaces them. */
export const usualFields = [
  ['Accept', 'application/json'],
  ['User-Agent', USER_AGENT],
] as const;

/**
 * The fields of a request that reach the target: a header given for it replaces one of the suite, and a proxy that
 * forwards requests takes Proxy-Authorization for itself.
 */
export function ownFields(fields: Fields, { headers, isForwarded }: Route): Fields {
  const replaced = headers.map(({ name }) => name.toLowerCase());
  if (isForwarded) replaced.push('proxy-authorization');
  return replaced.length === 0 ? fields : fields.filter(([name]) => !replaced.includes(name.toLowerCase()));
}

/** The headers of nearly every request that this one lacks; the first of them describes a body. */
export const missingUsualFields = (fields: Fields, hasBody: boolean): string[] =>
  ['Content-Type', 'Accept', 'User-Agent'].slice(hasBody ? 0 : 1).filter((name) => !fieldIn(fields, name));

/** The fields that the client adds for a deviating framing: none in HTTP/2, which has its own (RFC 9113, section 8.2.2). */
export const framingFields = ({ close, chunked }: Request, { http }: Pick<Route, 'http'>): Fields =>
  http === '2'
    ? []
    : [
        ...(close ? [['Connection', 'close'] as const] : []),
        ...(chunked ? [['Transfer-Encoding', 'chunked'] as const] : []),
      ];

/** A URL as a request target in absolute form (RFC 9112, section 3.2.2). @param before the host, such as `user@` */
export const absoluteForm = (url: string, before: string): string => url.replace('//', `//${before}`);

/** The request as the first host on the way to a target receives it: with the whole path or URL, and all headers. */
export function asSent(request: Request, { baseUrl, route }: Endpoint): Request {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '') + request.path;
  const given = route.headers.map((header) => [header.name, valueOf(header)] as const);
  const fields = [...ownFields(request.fields, route), ...given];
  const { absolute } = request;
  const isAbsolute = route.isForwarded || absolute !== undefined;
  return {
    ...request,
    path: isAbsolute ? absoluteForm(origin, absolute ?? '') + path : path,
    fields: route.isForwarded ? [...fields, ...Object.entries(proxyFields(route.proxy!))] : fields,
  };
}
