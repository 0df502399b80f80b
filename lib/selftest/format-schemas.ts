import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import addFormats from 'ajv-formats';
import { validateXML } from 'xmllint-wasm';
import { jsonSchemas } from './package/json-schemas.ts';

/**
 * Why values do not match one of the published JSON Schemas; empty: they do.
 * @param options.closed whether to reject members that the schema does not describe
 */
export function complaintsOf(
  schema: string,
  values: readonly unknown[],
  { closed = false }: { readonly closed?: boolean } = {},
): string[] {
  const text = JSON.stringify(jsonSchemas()[schema]);
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, validateFormats: false });
  const validate = ajv.compile(JSON.parse(text, closed ? shut : undefined) as object);
  return values.flatMap((value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  });
}

/** Makes every object of a schema reject other members. */
const shut = (_: string, node: unknown): unknown =>
  typeof node === 'object' && node !== null && 'properties' in node && 'type' in node
    ? { ...node, additionalProperties: false }
    : node;

/** Why a text does not match the schema of JUnit XML, by libxml2; empty: it does. */
export async function complaintsOfJunit(xml: string): Promise<string[]> {
  const schema = readFileSync(join(import.meta.dirname, 'junit.xsd'), 'utf8');
  const { valid, errors } = await validateXML({ xml: { fileName: 'junit.xml', contents: xml }, schema });
  return valid ? [] : errors.map(({ message }) => message);
}

/** Why a value does not match the JSON Schema of HTTP Archives (draft 06); empty: it does. */
export function complaintsOfHar(value: unknown): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addMetaSchema(draft06);
  // The package has no types.
  ajv.addSchema(Object.values(createRequire(import.meta.url)('har-schema') as Record<string, object>));
  ajv.validate('har.json', value);
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
