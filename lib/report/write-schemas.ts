import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from './json-schemas.ts';

// `npm run schemas`: writes the JSON Schemas of the reports that ship with the suite.
for (const [name, schema] of Object.entries(jsonSchemas())) {
  writeFileSync(join(import.meta.dirname, name), `${JSON.stringify(schema, undefined, 2)}\n`);
}
