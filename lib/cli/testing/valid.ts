import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import addFormats from 'ajv-formats';
import { validateXML } from 'xmllint-wasm';
import { jsonSchemas } from '../../schemas/json-schemas.ts';

/**
 * What is wrong with values by one of the published JSON Schemas; empty: nothing.
 * @param options.closed whether members that the schema does not describe are wrong, too
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

/** Makes every object of a schema take its own members only. */
const shut = (_: string, node: unknown): unknown =>
  typeof node === 'object' && node !== null && 'properties' in node && 'type' in node
    ? { ...node, additionalProperties: false }
    : node;

/** What is wrong with a text by the schema of JUnit XML, as libxml2 tells; empty: nothing. */
export async function complaintsOfJunit(xml: string): Promise<string[]> {
  const schema = readFileSync(join(import.meta.dirname, 'junit.xsd'), 'utf8');
  const { valid, errors } = await validateXML({ xml: { fileName: 'junit.xml', contents: xml }, schema });
  return valid ? [] : errors.map(({ message }) => message);
}

/** What is wrong with a value by the JSON Schema of HTTP Archives (draft 06); empty: nothing. */
export function complaintsOfHar(value: unknown): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addMetaSchema(draft06);
  // The package has no types.
  ajv.addSchema(Object.values(createRequire(import.meta.url)('har-schema') as Record<string, object>));
  ajv.validate('har.json', value);
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
