import { z } from 'zod';
import { customerIdForm } from './customer-id.ts';

/** Text that JSON carries without doubt: no lone surrogates (RFC 8259, section 8.2). */
const text = z.string().refine((value) => value.isWellFormed(), { error: 'expected well-formed Unicode' });

/** Body of a customer creation (interface, section 4.1). Constraints on its members are not shown. */
export const customerRequest = z.strictObject({ name: text, email: text });
export type CustomerRequest = z.infer<typeof customerRequest>;

/** Body of the response to a creation (interface, section 4.1). Members beyond these three are not shown. */
export const customerResponse = z.looseObject({
  id: z
    .string()
    .regex(customerIdForm, { error: 'expected cus_ followed by an identifier' })
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

/** Body of the response to a token request (interface, section 4.2): it is JSON; its shape is not shown. */
export const tokenResponse = z.json();
export type TokenResponse = z.infer<typeof tokenResponse>;
