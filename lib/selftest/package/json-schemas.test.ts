import { describe, expect, it } from 'vitest';
import { isAllowedBy } from '../../engine/answers/declared.ts';
import type { Json } from '../../schemas/json.ts';
import { jsonSchemas } from './json-schemas.ts';

const waiver = { requirement: 'customer.name.echoed', reason: 'r', owner: 'o', until: '2026-03-31' };

describe('the JSON Schema of a profile', () => {
  it('allows a profile, and rejects unknown ids', () => {
    const schema = jsonSchemas()['profile.schema.json'] as Json;
    const allows = (value: Json): boolean => isAllowedBy(schema, value);
    expect(allows({ answers: { 'customer.create.status': [200, 201] }, waivers: [waiver] })).toBe(true);
    expect(allows({ answers: { 'customer.create.stats': 201 } })).toBe(false);
    expect(allows({ waivers: [{ ...waiver, requirement: 'customer.name' }] })).toBe(false);
    expect(allows({ waivers: [{ ...waiver, until: 'soon' }] })).toBe(false);
  });
});

describe('the JSON Schema of targets.json', () => {
  it('allows a list, alone or beside the name of the schema, and rejects other members', () => {
    const schema = jsonSchemas()['targets.schema.json'] as Json;
    const allows = (value: Json): boolean => isAllowedBy(schema, value);
    const target = { name: 'acme', baseUrl: 'https://acme.example', apiKeyVariable: 'ACME_KEY' };
    expect(
      allows([target, { ...target, name: 'b', profile: 'b.json', baseline: 'b/conformance.json' }]),
    ).toBe(true);
    expect(allows({ $schema: 'targets.schema.json', targets: [target] })).toBe(true);
    expect(allows([])).toBe(false);
    expect(allows([{ ...target, key: 'x' }])).toBe(false);
    expect(allows({ targets: [target], others: [] })).toBe(false);
  });
});
