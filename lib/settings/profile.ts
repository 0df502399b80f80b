import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const waiver = z.strictObject({
  requirement: z.string().min(1).describe('id of the requirement whose failure is known'),
  reason: z.string().min(1).describe('why it may fail for now'),
  owner: z.string().min(1).describe('who will see to it'),
  until: z.iso.date().describe('last day on which it holds'),
});

/** A failure that the operator knows of and answers for, until a day. */
export type Waiver = z.infer<typeof waiver>;

/** The file's format; the JSON Schema that editors use is made from it. */
export const profileFormat = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().optional().describe('what the target is called in reports'),
  about: z.record(z.string(), z.string()).optional().describe('remarks for people; they change nothing'),
  answers: z
    .record(z.string(), z.json())
    .default({})
    .describe('answers to open questions, by id; another answer of the target is drift, and fails'),
  waivers: z.array(waiver).default([]),
});

const KEY = /sk_(?:test|live)_[\w-]{6,}/;

/** What the operator of a target has answered. */
export interface Profile {
  readonly name?: string | undefined;
  readonly answers: Readonly<Record<string, Json>>;
  readonly waivers: readonly Waiver[];
}

/**
 * Reads a profile.
 * @returns the profile, or what is wrong with the file in words that show nothing of a secret
 */
export function readProfile(path: string): Profile | { readonly problem: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { problem: `the file can't be read (${(error as NodeJS.ErrnoException).code}); name another` };
  }
  const hasKey = { problem: 'the file holds a key; take it out, a profile is meant to be committed' };
  if (KEY.test(text)) return hasKey;
  let result: z.ZodSafeParseResult<Profile>;
  try {
    let hasPrototype = false;
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''), (name, member: unknown) => {
      hasPrototype ||= name === '__proto__';
      return member;
    });
    // It would be lost on the way, and the answer that it stands in would say something else.
    if (hasPrototype) return { problem: 'the file has a member __proto__; take it out' };
    // Whatever escapes have hidden.
    if (KEY.test(JSON.stringify(value))) return hasKey;
    result = profileFormat.safeParse(value);
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'the file is nested too deep to be a profile' };
    return { problem: 'the file is not JSON; a profile begins with { "answers": …' };
  }
  if (result.success) return result.data;
  const { path: place, message } = result.error.issues[0]!;
  return { problem: `at /${place.join('/')}: ${message}` };
}
