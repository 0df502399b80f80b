import { z } from 'zod';

/** Text that JSON carries without doubt: no lone surrogates (RFC 8259, section 8.2). */
const text = z.string().refine((value) => value.isWellFormed(), { error: 'expected well-formed Unicode' });

/** Body of a customer creation (interface, section 4.1). Constraints on its members are not shown. */
export const customerRequest = z.strictObject({ name: text, email: text });
export type CustomerRequest = z.infer<typeof customerRequest>;

/** A customer as the interface shows it (section 2); members beyond these three are open. */
export const customer = z.object({
  id: z.string().regex(/^cus_[^]+$/, { error: 'expected cus_ and an identifier' }),
  name: z.string(),
  email: z.string(),
});

/** Body of a token request (interface, sections 2 and 4.2). */
export const tokenRequest = z.strictObject({ scopes: z.array(text), expires_in: z.int() });
export type TokenRequest = z.infer<typeof tokenRequest>;
