import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { evidenceSchema } from '../engine/evidence-schema.ts';
import type { EvidenceLine } from '../engine/evidence.ts';
import type { Json } from '../schemas/json.ts';
import { jsonSchemas } from './json-schemas.ts';
import type { Report } from './model.ts';
import type { reportSchema } from './report-schema.ts';

/**
 * A type as far as JSON knows it: what is read-only, or may be undefined where it may be absent, does not
 * show in it; that a member may be absent does.
 */
type Plain<T> = Json extends T
  ? 'any JSON'
  : T extends readonly (infer Item)[]
    ? number extends T['length']
      ? { items: Plain<Item> }
      : { tuple: { [K in keyof T & `${number}`]: Plain<T[K]> } }
    : T extends object
      ? {
          [K in keyof T]-?: object extends Pick<T, K>
            ? { optional: Plain<Exclude<T[K], undefined>> }
            : Plain<T[K]>;
        }
      : T;

/** Each may stand for the other. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

describe('the JSON Schemas of the reports', () => {
  it.each(Object.keys(jsonSchemas()))(
    '%s is what ships with the suite; `npm run schemas` writes it',
    (name) => {
      const shipped: unknown = JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
      expect(shipped).toEqual(JSON.parse(JSON.stringify(jsonSchemas()[name])));
    },
  );

  it('describe the very types that the reports are made as; the compiler holds it', () => {
    expectTypeOf<Same<Plain<z.infer<typeof reportSchema>>, Plain<Report>>>().toEqualTypeOf<true>();
    expectTypeOf<Same<Plain<z.infer<typeof evidenceSchema>>, Plain<EvidenceLine>>>().toEqualTypeOf<true>();
    expect(jsonSchemas()).toHaveProperty(['conformance.schema.json', 'properties', 'requirements']);
  });
});
