import { valueOf } from '../settings/headers.ts';
import type { GivenHeader } from '../settings/headers.ts';
import type { Route } from '../settings/route.ts';
import { isForwarded, proxyFields } from './dial.ts';
import type { Place } from './dial.ts';
import type { Request } from './exchange.ts';

type Fields = Request['fields'];

/** The fields of a request that are sent: a header given for the target replaces a field of the suite. */
export const ownFields = (fields: Fields, { headers }: Route): Fields =>
  headers.length === 0 ? fields : fields.filter(([name]) => !headers.some((one) => isNamed(one, name)));

const isNamed = (header: GivenHeader, name: string): boolean =>
  header.name.toLowerCase() === name.toLowerCase();

/** What the first host on the way to a target receives: its path or URL, and all headers. */
export function asSent(request: Request, place: Place): { readonly request: Request; readonly path: string } {
  const { baseUrl, route } = place;
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '') + request.path;
  const given = route.headers.map((header) => [header.name, valueOf(header)] as const);
  const fields = [...ownFields(request.fields, route), ...given];
  if (!isForwarded(place)) return { request: { ...request, fields }, path };
  return {
    request: { ...request, fields: [...fields, ...Object.entries(proxyFields(route.proxy!))] },
    path: origin + path,
  };
}
