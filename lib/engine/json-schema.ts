import { createRequire } from 'node:module';
import type { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import type { Json } from '../schemas/json.ts';

type Validate = (value: Json) => boolean;

const compiled = new Map<string, Validate>();
let ajv: Ajv | undefined;

/**
 * Whether a value is what a JSON Schema (draft 2020-12) allows.
 * @throws {Error} where the schema is none, or has a keyword that nobody knows; formats are remarks, as in the draft
 */
export function isAllowedBy(schema: Json, value: Json): boolean {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known(value);
  // Loaded only where a profile has a schema, which few have.
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as { Ajv2020: typeof Ajv };
  ajv ??= new Ajv2020({
    strictSchema: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
  });
  const validate = ajv.compile(schema as object | boolean) as Validate;
  compiled.set(text, validate);
  return validate(value);
}
