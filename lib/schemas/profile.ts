import { z } from 'zod';
import { json, membersError } from './json.ts';
import type { Json } from './json.ts';

const text = z.string({ error: 'expected text' }).min(1, { error: 'expected text that is not empty' });

const waiverSchema = z.strictObject(
  {
    requirement: text.describe('id of the requirement whose failure is known'),
    reason: text.describe('why it may fail for now'),
    owner: text.describe('who is responsible for the fix'),
    until: z.iso.date({ error: 'expected YYYY-MM-DD' }).describe('last day of the waiver, UTC'),
  },
  { error: membersError('requirement, reason, owner and until') },
);

/** A known failure that the operator accepts until a given day. */
export type Waiver = Readonly<z.infer<typeof waiverSchema>>;

/** Headers that a request has anyway: no service reads a token from one of them. */
const HEADERS_SENT_ANYWAY =
  /^(?:accept(?:-.*)?|connection|content-.*|cookie|date|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent|via)$/i;

const presentationSchema = z.union([
  z.literal('bearer'),
  z.strictObject({
    header: z
      .string()
      .regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/)
      .refine((name) => !HEADERS_SENT_ANYWAY.test(name)),
  }),
]);

/** How an issued token is presented: in the Bearer scheme, or as the value of a header. */
export type Presentation = Readonly<z.infer<typeof presentationSchema>>;

/** The presentations that an answer to `token.presentation` declares; none if it declares that there is none. */
export function presentationsIn(declared: Json | undefined): readonly Presentation[] {
  const all = Array.isArray(declared) ? (declared as readonly Json[]) : [declared];
  return all.flatMap((one) => presentationSchema.safeParse(one).data ?? []);
}

/** The file format of a profile. The JSON Schema for editors is generated from it. */
export const profileSchema = z.strictObject(
  {
    $schema: z.string({ error: 'expected text' }).optional(),
    name: z.string({ error: 'expected text' }).optional().describe('name of the target in reports'),
    about: z
      .record(z.string(), z.string({ error: 'expected text' }), { error: 'expected an object' })
      .optional()
      .describe('remarks for people, without effect'),
    answers: z
      .record(z.string(), json, { error: 'expected an object, with ids of questions as its members' })
      .default({})
      .describe('answers to open questions, by id; a different answer of the target is drift, and fails'),
    waivers: z.array(waiverSchema, { error: 'expected a list of waivers' }).default([]),
  },
  { error: membersError('name, about, answers and waivers') },
);

/** The operator's answers to the open questions about a target, and the failures that are waived. */
export type Profile = Readonly<Pick<z.infer<typeof profileSchema>, 'name' | 'answers'>> & {
  readonly waivers: readonly Waiver[];
};

/** The day of a moment, UTC, as a waiver has it. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
