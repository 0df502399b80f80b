import type { Json } from '../schemas/json.ts';

/** What the operator of a service declares that takes issued tokens for creating customers. */
export const lifeDeclared: Readonly<Record<string, Json>> = {
  'token.presentation': 'bearer',
  'token.scopes.allow': { 'customers:write': ['POST /v1/customers'], 'customers:read': [] },
  'token.expires_in.unit': 'seconds',
};
