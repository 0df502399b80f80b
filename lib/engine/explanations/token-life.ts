import type { Explanation } from '../explanation.ts';

const PRESENTED =
  'Which scope allows creating a customer, and how a token is presented, a profile says; the suite presents a token in place of the key.';

export const tokenLife = {
  'token.life.accepted': {
    why: 'Tokens replace static keys, and expire: until then they do what keys did, as far as their scopes go.',
    tested: `${PRESENTED} It is presented twice at once, and again in the last third of the shortest lifetime that the target grants. It must be accepted each time.`,
    failure: 'A token works once only, or ends at half its lifetime.',
  },
  'token.life.ended': {
    why: 'Tokens are expiring: after their end they are worth nothing.',
    tested: `${PRESENTED} It is used before its end, then presented after it, again and again until it is refused or its leeway (token.leeway, 10 s unless declared) is over.`,
    failure: 'Expiry is never checked, is renewed by use, or counts milliseconds as seconds.',
  },
  'token.life.scoped': {
    why: 'Tokens are scoped: they are for what their scopes allow.',
    tested: `${PRESENTED} One whose scopes do not allow it must get no customer.`,
    failure: 'A token for customers:read creates customers.',
  },
  'token.life.unaltered': {
    why: 'A token is the text that was issued; another text is not a credential.',
    tested: `${PRESENTED} One that was just taken is presented with one character changed, at three places in turn, and must get no customer.`,
    failure: 'The signature of a JWT is not verified; a token is looked up by its first characters.',
  },
} as const satisfies Record<`token.life.${string}`, Explanation>;
