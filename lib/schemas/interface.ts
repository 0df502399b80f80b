import { z } from 'zod';

/** Text that any JSON library can carry: no lone surrogates (RFC 8259, section 8.2). */
const text = z
  .string({ error: 'expected a string' })
  .refine((value) => value.isWellFormed(), { error: 'expected well-formed Unicode' });

/** Body of a customer creation (interface, section 4.1). Constraints on its members are not shown. */
export const customerRequest = z.strictObject({ name: text, email: text });
export type CustomerRequest = z.infer<typeof customerRequest>;

/** How a test-mode key begins (interface, section 5.2). */
export const KEY_PREFIX = 'sk_test_';

/** Form of a customer's id: the prefix, then any identifier (interface, section 2), on one line, without white space at its ends. */
export const customerIdForm = /^cus_\S(?:.*\S)?$/;

/** A JSON object with any members. */
export const jsonObject = z.looseObject({}, { error: 'expected a JSON object' });

const CUSTOMER_ID = { error: 'expected a string: cus_ followed by an identifier' };

/** Body of the response to a creation (interface, section 4.1). Members beyond these three are not shown. */
export const customerResponse = jsonObject.extend({
  id: z
    .string(CUSTOMER_ID)
    .regex(customerIdForm, CUSTOMER_ID)
    .describe('cus_ followed by an identifier. Assigned by the service.'),
  name: text.describe('Equals the submitted name.'),
  email: text.describe('Equals the submitted email.'),
});
export type CustomerResponse = z.infer<typeof customerResponse>;

/** Body of a token request (interface, sections 2 and 4.2). */
export const tokenRequest = z.strictObject({
  scopes: z
    .array(text)
    .describe('Scopes requested for the token, such as customers:read: <resource>:<action>.'),
  expires_in: z.int().describe('Requested lifetime of the token.'),
});
export type TokenRequest = z.infer<typeof tokenRequest>;

/**
 * Body of the response to a token request (interface, section 4.2), as `JSON.parse` returns it: it is JSON; its shape
 * is not shown. `z.json()` would reject 1e999, which JSON allows and JavaScript reads as infinite.
 */
export const tokenResponse = z.custom<z.core.util.JSONType>((value) => value !== undefined, {
  error: 'expected JSON',
});
export type TokenResponse = z.infer<typeof tokenResponse>;
