import { z } from 'zod';

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Checks that a value is JSON. */
export const json: z.ZodType<Json> = z.json();
