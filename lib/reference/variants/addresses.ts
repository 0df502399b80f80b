import { variantsOf } from '../fault-or-variant.ts';

/** The base URL of the service. */
export const addresses = variantsOf('4: {base_url} may have a path, and any scheme of HTTP')({
  'base-api': () => ({ base: '/api' }),
  'base-of-several-segments': () => ({ base: '/gateway/eu-west-1/customers.v3' }),
  'base-that-looks-like-an-operation': () => ({ base: '/v1/customers' }),
  'base-with-percent-encoding': () => ({ base: '/tenants/a%20b%2Fc' }),
  'https-private-authority': () => ({ isSecure: true }),
  'https-private-authority-below-a-path': () => ({ isSecure: true, base: '/api' }),
});
