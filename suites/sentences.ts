import type { ReportedSentence } from '../lib/schemas/report.ts';

/** A text with the ids of requirements and those of questions, separated by spaces, or with the reason for none. */
type Row = readonly [text: string, tested: string | { readonly reason: string }, asked?: string];

const authenticated = (operation: string): string =>
  ['key.required', 'bearer.required', 'key.exact', 'request.each']
    .map((rule) => `auth.${operation}.${rule}`)
    .join(' ');

const document: Readonly<Record<string, readonly Row[]>> = {
  0: [
    [
      'This document covers the whole interface of the service: customer creation under version 1, token issuing under version 2, and the authentication scheme.',
      { reason: 'It says what the document is about.' },
    ],
    ['It is the only document.', { reason: 'It says nothing about the service.' }],
  ],
  1: [
    [
      'The service is an HTTP API with JSON bodies.',
      'token.body.json customer.body.object json.content.type json.utf8 http.date',
      'protocol.versions response.coding',
    ],
    ['It provides two operations:', { reason: 'It introduces what follows.' }],
    ['Creating a customer record (version 1 path prefix).', 'customer.plain.accepted'],
    [
      'Issuing scoped, expiring access tokens (version 2 path prefix).',
      'token.plain.accepted token.life.scoped token.life.ended',
      'token.response.expiry',
    ],
    ['These tokens replace static keys.', 'token.credential.own token.life.accepted'],
    ['Other purposes of the service: not shown.', '', 'service.paths'],
  ],
  2: [
    [
      '| id | string | response only | Starts with the prefix `cus_`, followed by an identifier: `cus_<customer_id>`. Assigned by the service. |',
      'customer.id.form customer.id.new',
    ],
    ['| name | string | request and response | Echoed back in the response. |', 'customer.name.echoed'],
    ['| email | string | request and response | Echoed back in the response. |', 'customer.email.echoed'],
    ['Customer fields beyond these three: not shown.', '', 'customer.members customer.members.unknown'],
    [
      'Constraints on name and email (required, length, format, uniqueness): not shown.',
      'input.wide.answered',
      'customer.members.missing customer.members.null customer.members.typed customer.name.longest customer.email.longest customer.name.classes customer.email.classes customer.email.twice customer.email.case customer.pair.twice',
    ],
    [
      '| scopes | array of strings | Scopes requested for the token. The one scope name that occurs is `customers:read`, which has the shape `<resource>:<action>`. |',
      'token.plain.accepted',
      'token.scopes token.scopes.reported token.request.members',
    ],
    [
      '| expires_in | integer | Requested lifetime of the token. |',
      'token.plain.accepted token.life.ended',
      'token.lifetimes token.lifetime.reported token.request.members',
    ],
    ['Fields of a returned token record: not shown.', '', 'token.members'],
  ],
  3: [['States and transitions: not shown.', '', 'customer.state token.earlier']],
  4.1: [
    ['Create a customer', 'customer.plain.accepted'],
    ['Method: POST', 'customer.plain.accepted http.method.allow', 'operations.read'],
    ['Path: `{base_url}/v1/customers`', 'customer.plain.accepted'],
    ['Request headers:', 'http.field.case'],
    ['| Authorization | `Bearer <API_KEY>` |', `${authenticated('customers')} auth.scheme.case`],
    ['| Content-Type | `application/json` |', 'customer.plain.accepted', 'request.content-type'],
    [
      'Request body (JSON object):',
      'customer.encoding.irrelevant input.malformed.answered',
      'request.malformed',
    ],
    ['| name | string |', 'customer.plain.accepted', 'customer.members.typed'],
    ['| email | string |', 'customer.plain.accepted', 'customer.members.typed'],
    ['Response body (JSON object):', 'customer.body.object'],
    ['| id | string, form `cus_<customer_id>` |', 'customer.id.form'],
    ['| name | string, equals the submitted name |', 'customer.name.echoed'],
    ['| email | string, equals the submitted email |', 'customer.email.echoed'],
    [
      'Rule: when a valid request is sent with valid credentials, the response carries a new id plus the submitted name and email.',
      'customer.plain.accepted customer.id.new customer.reply.own customer.name.echoed customer.email.echoed',
    ],
    ['HTTP success status code: not shown.', '', 'customer.create.status response.fields'],
  ],
  4.2: [
    ['Issue a scoped token', 'token.plain.accepted token.credential.present'],
    ['Method: POST', 'token.plain.accepted http.method.allow', 'operations.read'],
    ['Path: `{base_url}/v2/tokens`', 'token.plain.accepted'],
    ['Request headers:', 'http.field.case'],
    ['| Authorization | `Bearer <API_KEY>` |', `${authenticated('tokens')} auth.scheme.case`],
    [
      'The content type of this request is given only implicitly by the JSON body.',
      '',
      'token.request.content-type',
    ],
    ['A JSON body is sent.', 'token.plain.accepted'],
    ['Request body (JSON object):', 'token.encoding.irrelevant input.malformed.answered'],
    ['| scopes | array of strings |', 'token.plain.accepted', 'token.request.members'],
    ['| expires_in | integer |', 'token.plain.accepted', 'token.request.members'],
    [
      'Response shape and status code: not shown.',
      'token.response.uncached',
      'token.issue.status token.response.credential token.members response.fields',
    ],
  ],
  4.3: [
    [
      'Other operations (retrieve, list, update, delete of customers, revoking tokens): not shown.',
      '',
      'operations.read',
    ],
  ],
  5.1: [
    [
      'Requests are authenticated with an HTTP `Authorization` header using the `Bearer` scheme.',
      `${authenticated('customers')} ${authenticated('tokens')} auth.scheme.case auth.rejection.unauthorized auth.rejection.challenge`,
      'auth.rejection.status auth.challenge.form',
    ],
  ],
  5.2: [
    [
      'The credential shown in both operations is a static secret key, written `<API_KEY>`.',
      'auth.customers.key.exact auth.tokens.key.exact auth.key.unreflected',
    ],
    [
      'The key shown is a test-mode key.',
      {
        reason:
          'It is about the key of the document. A key that is not one is only sent with --allow-live-key.',
      },
    ],
    ['Its prefix is `sk_test_`.', 'auth.customers.key.exact auth.tokens.key.exact'],
  ],
  5.3: [
    [
      'Version 2 replaces static keys with scoped, expiring tokens.',
      'token.credential.own token.life.accepted token.life.ended token.life.scoped token.life.unaltered',
    ],
    [
      'A token is requested with a list of scopes and an `expires_in` value (see 4.2).',
      'token.credential.distinct token.plain.accepted',
      'token.credential.form',
    ],
    [
      'The request that issues a token is itself authenticated with a static key.',
      'auth.tokens.key.required auth.tokens.key.exact auth.tokens.key.static',
    ],
  ],
  5.4: [
    [
      'Unit of `expires_in`: not shown.',
      '',
      'token.expires_in.unit token.response.expiry token.lifetimes token.leeway',
    ],
  ],
  5.5: [
    [
      'The set of valid scopes and which scope allows which operation: not shown.',
      'token.life.scoped',
      'token.scopes token.scopes.allow',
    ],
  ],
  5.6: [['How an issued token is presented on later requests: not shown.', '', 'token.presentation']],
  6: [['Events: not shown.', '', 'service.events']],
  7: [['Errors: not shown.', 'input.malformed.answered', 'error.status error.body']],
  8: [['Limits: not shown.', '', 'limits.fields limits.exceeded.fields']],
  9: [
    [
      'The version is a path prefix: `/v1/` for customers and `/v2/` for tokens.',
      'customer.plain.accepted token.plain.accepted',
      'version.other',
    ],
    [
      'Version 2 introduces scoped, expiring tokens in place of static keys.',
      'token.plain.accepted token.credential.own auth.tokens.key.static',
    ],
    [
      'Version scheme beyond the path prefixes (deprecation, compatibility, header selection): not shown.',
      '',
      'version.other response.fields protocol.versions',
    ],
  ],
};

const idsIn = (list: string): string[] => list.split(' ').filter(Boolean);

/**
 * Every sentence and every row of a table of the interface, in its order, but no headings except the names of the
 * operations.
 */
export const sentences: readonly ReportedSentence[] = Object.entries(document)
  .toSorted(([one], [other]) => Number(one) - Number(other))
  .flatMap(([section, rows]) =>
    rows.map(([text, tested, asked = '']) =>
      typeof tested === 'string'
        ? { section, text, tested: idsIn(tested), asked: idsIn(asked) }
        : { section, text, tested: [], asked: [], ...tested },
    ),
  );

const NOT_SHOWN = ': not shown.';

/** The points that the interface leaves open. */
export const openPoints: readonly (readonly [section: string, point: string])[] = sentences
  .filter(({ text }) => text.endsWith(NOT_SHOWN))
  .map(({ section, text }) => [section, text.slice(0, -NOT_SHOWN.length)]);
