import { describe, expect, it } from 'vitest';
import { isAllowedBy } from '../../engine/declared.ts';
import type { Json } from '../../schemas/json.ts';
import { profileSchema } from './json-schemas.ts';

const waiver = { requirement: 'customer.name.echoed', reason: 'r', owner: 'o', until: '2026-03-31' };

describe('the JSON Schema of a profile', () => {
  it('allows a profile, and rejects unknown ids', () => {
    const schema = profileSchema() as Json;
    const allows = (value: Json): boolean => isAllowedBy(schema, value);
    expect(allows({ answers: { 'customer.create.status': [200, 201] }, waivers: [waiver] })).toBe(true);
    expect(allows({ answers: { 'customer.create.stats': 201 } })).toBe(false);
    expect(allows({ waivers: [{ ...waiver, requirement: 'customer.name' }] })).toBe(false);
    expect(allows({ waivers: [{ ...waiver, until: 'soon' }] })).toBe(false);
  });
});
