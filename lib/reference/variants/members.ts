import { onCustomer, json, onToken, reading } from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';

const now = (): string => new Date().toISOString();

/** Members that are required or optional, and further ones in responses. */
export const members = [
  ...variantsOf('2: which members a request must and may have is not shown')({
    'members-may-be-missing': reading((sent) => ({ name: 'nobody', email: 'nobody@example.com', ...sent })),
    'members-may-be-null': reading((sent) => ({
      ...sent,
      name: sent['name'] ?? '',
      email: sent['email'] ?? '',
    })),
    'members-are-made-text': reading(({ name, email, ...sent }) => ({
      ...sent,
      ...(name === undefined ? {} : { name: typeof name === 'string' ? name : json(name) }),
      ...(email === undefined ? {} : { email: typeof email === 'string' ? email : json(email) }),
    })),
    'members-unknown-are-ignored': reading(({ name, email }) => ({ name, email })),
  }),
  ...variantsOf('3: states are not shown')({
    'members-state': onCustomer((made) => ({ ...made, status: 'active' })),
  }),
  ...variantsOf('2: customer fields beyond these three are not shown')({
    'members-email-first': onCustomer(({ id, name, email }) => ({ email, name, id })),
    'members-timestamps': onCustomer((made) => ({
      object: 'customer',
      ...made,
      created_at: now(),
      updated_at: now(),
    })),
    'members-of-a-payment-provider': onCustomer((made) => ({
      object: 'customer',
      livemode: false,
      created: Math.floor(Date.now() / 1000),
      balance: 0,
      currency: null,
      metadata: {},
      sources: { object: 'list', data: [], has_more: false },
      ...made,
    })),
    'members-name-taken-apart': onCustomer((made) => ({
      ...made,
      first_name: made.name.split(' ')[0]!.toLowerCase(),
      last_name: made.name.split(' ').slice(1).join(' ').toUpperCase(),
      display_name: made.name.trim(),
      initials: [...made.name].slice(0, 1).join('').toUpperCase(),
    })),
    'members-normalised-email-beside': onCustomer((made) => ({
      normalized_email: made.email.trim().toLowerCase(),
      domain: made.email.split('@').at(-1),
      ...made,
    })),
    'members-search-text-beside': onCustomer((made) => ({
      ...made,
      slug: made.name.normalize('NFKD').replace(/\W+/g, '-').toLowerCase(),
      _search: `${made.name} ${made.email}`.toLowerCase(),
    })),
    'members-links': onCustomer((made) => ({
      ...made,
      _links: { self: { href: `/v1/customers/${made.id}` }, tokens: { href: '/v2/tokens' } },
    })),
    'members-request-beside': onCustomer((made, { text }) => ({ ...made, request: { body: text } })),
    'members-deeply-nested': onCustomer((made) => ({
      meta: Array.from({ length: 40 }).reduce<unknown>((inner) => ({ inner }), {
        id: 'cus_none',
        name: 'none',
      }),
      ...made,
    })),
    'members-big-numbers': onCustomer((made) => ({
      ...made,
      version: 12345678901234567000,
      ratio: 1e-7,
      count: -0,
    })),
    'members-hash-of-email': onCustomer((made) => ({
      ...made,
      avatar: `https://example.com/avatars/${Buffer.from(made.email).toString('hex').slice(0, 40)}`,
    })),
    'members-prototype': () => ({
      serialise: (made) => json(made).replace('{', '{"__proto__":{"id":1},"constructor":{"name":"x"},'),
    }),
    'members-kilobytes-more': onCustomer((made) => ({
      ...made,
      terms: 'Lorem ipsum dolor sit amet. '.repeat(700),
    })),
    'members-names-of-others': onCustomer((made) => ({
      ...made,
      created_by: { id: 'cus_operator', name: 'Operator', email: 'operator@example.com' },
    })),
  }),
  ...variantsOf('2: fields of a returned token record are not shown')({
    'members-token-only': onToken(({ token }) => ({ token })),
    'members-token-with-id': onToken((issued) => ({
      id: `tk_${issued.expires_at.length}`,
      object: 'token',
      ...issued,
    })),
  }),
];
