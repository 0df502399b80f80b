import fc from 'fast-check';
import { z } from 'zod';
import { report as reportSchema } from '../schemas/report.ts';
import type { Report } from '../schemas/report.ts';

/** Pieces with an effect on terminals, logs, markup or spreadsheets, unless they are escaped. */
const active = fc.constantFrom(
  '\u001B[2J',
  '\u009B31m',
  '\r',
  '\n',
  '\u202E',
  '\u2028',
  '\u0000',
  '\uFFFE',
  '\uD800',
  '\uDC00',
  ']]>',
  '<!--',
  '</testcase>',
  '<script>',
  '"',
  "'",
  '&',
  '&#x1b;',
  '##[error]',
  '##vso[',
  '\n::error::',
  '`',
  '](',
  '=1+1',
  '__proto__',
);

/** Any text that a target may send. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(active, fc.string({ unit: 'binary', maxLength: 10 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

/** The keywords of a JSON Schema that the one of a report has. */
interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
}

const { $defs: definitions, ...whole } = z.toJSONSchema(reportSchema) as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};

/** Values of the members by these names, whose schemas allow more than a report has. */
const members: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  reproduced: fc.constantFrom('3/3', '1/3'),
  input: fc.jsonValue(),
  originalInput: fc.jsonValue(),
  answer: fc.oneof(anyText, fc.dictionary(anyText, anyText), fc.array(anyText)),
  declared: fc.oneof(anyText, fc.dictionary(anyText, anyText)),
};

/** Any value that a schema allows, within the bounds of what a test can read. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  const { $ref, type, items, prefixItems, properties, required = [], additionalProperties } = schema;
  if ($ref !== undefined) return valueOf(definitions[$ref.replace(/^.*\//, '')]!);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (prefixItems) return fc.tuple(...prefixItems.map(valueOf));
  if (items) return fc.uniqueArray(valueOf(items), { selector: idOf, maxLength: 3 });
  if (properties) {
    const values = Object.entries(properties).map(([name, inner]) => [name, members[name] ?? valueOf(inner)]);
    return fc.record(Object.fromEntries(values) as typeof members, { requiredKeys: [...required] });
  }
  if (type === 'object') return fc.dictionary(anyText, valueOf(additionalProperties!), { maxKeys: 3 });
  if (type === 'boolean') return fc.boolean();
  return type === 'string' ? anyText : fc.nat(500);
}

/** A report has each id once. */
const idOf = (value: unknown): unknown => (value as { readonly id?: unknown }).id ?? value;

/** Any report, whose texts may all be hostile, as it may have been edited. */
export const anyReport = valueOf(whole) as fc.Arbitrary<Report>;
