import { onEvery, fields, onAccepted } from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';

const status = (customer: number, token = customer) =>
  onAccepted((_, { operation }) => ({ status: operation === 'customer' ? customer : token }));

const contentType = (type: string) =>
  onEvery(({ headers }) => ({ headers: { ...headers, 'Content-Type': type } }));

/** Status and fields of responses. */
export const responses = [
  ...variantsOf('4.1 and 4.2: the status of success is not shown')({
    'status-200': status(200),
    'status-200-and-201': status(200, 201),
    'status-201-and-200': status(201, 200),
    'status-202': status(202),
    'status-203': status(203),
    'status-207': status(207),
    'status-226': status(226),
    'status-299': status(299),
  }),
  ...variantsOf('1: HTTP with JSON bodies; the fields of a response are not shown')({
    'type-with-charset': contentType('application/json; charset=utf-8'),
    'type-with-upper-case-charset': contentType('Application/JSON;charset="UTF-8"'),
    'type-json-api': contentType('application/vnd.api+json'),
    'type-hal': contentType('application/hal+json; profile="customer"'),
    'fields-location-and-etag': onAccepted(({ headers }, { number }) => ({
      headers: { ...headers, Location: `/v1/customers/${number}`, ETag: `W/"${number}"` },
    })),
    'fields-of-a-gateway': fields({
      'X-Request-Id': '0f8fad5b-d9cb-469f-a165-70867728950e',
      'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
      'Set-Cookie': 'session=5f2b1c0d9e8a7766; Path=/; HttpOnly',
      'X-RateLimit-Remaining': '4999',
      'Server-Timing': 'db;dur=2.1, app;dur=5',
      'Alt-Svc': 'h3=":443"; ma=86400',
      'Cache-Control': 'no-store',
    }),
    'fields-many-and-long': fields(
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`X-Field-${at}`, 'v'.repeat(300)])),
    ),
  }),
];
