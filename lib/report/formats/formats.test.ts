import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formats } from './formats.ts';

const page = readFileSync(join(import.meta.dirname, '../../../reports/README.md'), 'utf8');

const names = formats.map(({ name }) => name);
// A page for people is its own documentation.
const forMachines = names.filter((name) => !name.endsWith('.html'));

it.each(['conformance.json', 'evidence.ndjson', ...forMachines])(
  '%s is documented, with an example',
  (name) => {
    expect(page).toContain(`[\`${name}\`](#${name.replace('.', '')})`);
    expect(page).toMatch(new RegExp(`^## ${name}\n[^#]*^\`\`\`\\w+\n`, 'm'));
  },
);
