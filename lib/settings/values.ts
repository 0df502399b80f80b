import { z } from 'zod';
import { containsKey } from './api-key.ts';
import { readBaseline, readProfile } from './files.ts';
import { UsageError } from './usage-error.ts';

// What the values of settings may be, from text.

/** Additional reports, written on request. */
const extraReports = ['har', 'ctrf'] as const;
export type ExtraReport = (typeof extraReports)[number];

export const baseUrl = z
  .string()
  .refine((text) => !containsKey(text), {
    error: 'holds a key; give the key as TARGET_API_KEY and the URL without it',
    abort: true,
  })
  .refine((text) => !/^https?:\/\/[^/]*[{}$]|\$\{|\{\{/i.test(text), {
    error: 'holds a variable or a placeholder that nothing has replaced: give the URL itself',
    abort: true,
  })
  .refine((text) => !/^[\w.-]+(?::\d+)?(?:\/|$)/.test(text), {
    error: 'has no scheme: put http:// or https:// in front of it',
    abort: true,
  })
  .refine((text) => !/^['"`“‘]/.test(text), { error: 'is in quotes: leave them out', abort: true })
  .refine((text) => !/^https?:\/\/[\da-f]*:[\da-f]*:[\da-f:.]*(?:%\w+)?(?::\d+)?(?:[/?#]|$)/i.test(text), {
    error: 'has an IPv6 address without brackets: expected one such as http://[::1]:8080',
    abort: true,
  })
  .refine((text) => Number(/^https?:\/\/[^/?#@]*:(\d+)(?:[/?#]|$)/i.exec(text)?.[1] ?? 0) <= 65_535, {
    error: 'has a port above 65535',
    abort: true,
  })
  .refine((text) => URL.canParse(text) && /^https?:\/\//i.test(text), {
    error: 'expected an absolute http or https URL, such as https://staging.example.com/api',
    abort: true,
  })
  .transform((text) => new URL(text))
  .refine(({ username, password }) => username === '' && password === '', {
    error: 'expected a URL without user name and password; the key goes into TARGET_API_KEY',
  })
  .refine(({ search, hash }) => search === '' && hash === '', {
    error: 'expected a URL without query and fragment; the paths of the interface are appended to it',
  })
  .transform(({ origin, pathname }) => `${origin}${pathname.replace(/\/+$/, '')}`);

/** The value that a function makes from a text; a {@link UsageError} that it throws says what is wrong with the text. */
export const fromText = <T>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      context.addIssue(error.message);
      return z.NEVER;
    }
  });

export const profile = fromText(readProfile);

export const baseline = fromText(readBaseline);

const wordsIn = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));

export const scopes = wordsIn
  .pipe(
    z.array(z.string()).min(1, {
      error: 'expected scopes separated by commas, such as customers:read,customers:write',
    }),
  )
  .readonly();

const REPORTS = 'expected har, ctrf or both, separated by commas';

export const reports = wordsIn
  .pipe(z.array(z.enum(extraReports, { error: REPORTS })).min(1, { error: REPORTS }))
  .transform((names) => [...new Set(names)])
  .readonly();

export const shard = z
  .string()
  .regex(/^[1-9]\d{0,3}\/[1-9]\d{0,3}$/, {
    error: 'expected auto, auto/N, or K/N, such as 3/20, with N below 10000',
  })
  .transform((text) => {
    const [index, count] = text.split('/').map(Number);
    return { index: index!, count: count! };
  })
  .refine(({ index, count }) => index <= count, { error: 'expected K/N with K from 1 to N, such as 3/20' })
  .readonly();

/** A domain of at least two labels, short enough for a nonce before it. */
export const domain = z
  .string()
  .regex(/^(?=.{3,100}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*$/i, {
    error: 'expected a domain of your own, such as mail.example.com, without @ and without a closing dot',
  });

/** A number in plain digits: `z.coerce.number()` would accept an empty text, 1e3 and 0x10. */
export function number(kind: 'whole' | 'decimal', min: number, max: number) {
  const error = `expected a ${kind} number from ${min} to ${max}`;
  return z
    .string()
    .regex(kind === 'whole' ? /^-?\d+$/ : /^\d+(?:\.\d+)?$/, { error })
    .transform(Number)
    .pipe(z.number({ error }).min(min, { error }).max(max, { error }));
}

export const yesOrNo = () =>
  z.stringbool({
    truthy: ['1', 'true', 'yes'],
    falsy: ['0', 'false', 'no'],
    case: 'sensitive',
    error: 'expected true or false',
  });
