import { valueOf } from '../settings/headers.ts';
import type { GivenHeader } from '../settings/headers.ts';
import type { Route } from '../settings/route.ts';
import type { Request } from './exchange.ts';

type Fields = Request['fields'];

/** The fields of a request that are sent: a header given for the target replaces a field of the suite. */
export const ownFields = (fields: Fields, { headers }: Route): Fields =>
  headers.length === 0 ? fields : fields.filter(([name]) => !headers.some((one) => isNamed(one, name)));

/** A request as it is sent, with the headers given for the target. */
export const withGiven = (request: Request, route: Route): Request =>
  route.headers.length === 0
    ? request
    : {
        ...request,
        fields: [
          ...ownFields(request.fields, route),
          ...route.headers.map((header) => [header.name, valueOf(header)] as const),
        ],
      };

const isNamed = (header: GivenHeader, name: string): boolean =>
  header.name.toLowerCase() === name.toLowerCase();
