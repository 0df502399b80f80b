import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../schemas/json.ts';
import { isAllowedBy } from './json-schema.ts';
import { profileSchema } from './profile-schema.ts';

const file = join(import.meta.dirname, 'profile.schema.json');
const waiver = { requirement: 'customer.name.echoed', reason: 'r', owner: 'o', until: '2026-03-31' };

describe('the JSON Schema of a profile', () => {
  it('is what ships with the suite; `npm run schemas` writes it', () => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(profileSchema());
  });

  it('takes a profile, and no id that there is not', () => {
    const schema = JSON.parse(readFileSync(file, 'utf8')) as Json;
    const takes = (value: Json): boolean => isAllowedBy(schema, value);
    expect(takes({ answers: { 'customer.create.status': [200, 201] }, waivers: [waiver] })).toBe(true);
    expect(takes({ answers: { 'customer.create.stats': 201 } })).toBe(false);
    expect(takes({ waivers: [{ ...waiver, requirement: 'customer.name' }] })).toBe(false);
    expect(takes({ waivers: [{ ...waiver, until: 'soon' }] })).toBe(false);
  });
});
