import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { profileSchema } from './profile-schema.ts';

// `npm run schemas`: writes the JSON Schemas that ship with the suite.
const file = join(import.meta.dirname, 'profile.schema.json');
writeFileSync(file, `${JSON.stringify(profileSchema(), undefined, 2)}\n`);
