import { z } from 'zod';

/** Text that JSON carries without doubt: no lone surrogates (RFC 8259, section 8.2). */
const text = z.string().refine((value) => value.isWellFormed(), { error: 'expected well-formed Unicode' });

/** Body of a customer creation (interface, section 4.1). Constraints on its members are not shown. */
export const customerRequest = z.strictObject({ name: text, email: text });
export type CustomerRequest = z.infer<typeof customerRequest>;

/** Body of a token request (interface, sections 2 and 4.2). */
export const tokenRequest = z.strictObject({ scopes: z.array(text), expires_in: z.int() });
export type TokenRequest = z.infer<typeof tokenRequest>;
