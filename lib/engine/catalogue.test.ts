import { describe, expect, it } from 'vitest';
import { catalogue, entryOf, requirementIds } from './catalogue.ts';

describe('catalogue', () => {
  it('keeps its ids: profiles, waivers and reports refer to them', () => {
    expect(requirementIds.map((id) => `${catalogue[id].level} ${id}`)).toMatchInlineSnapshot(`
      [
        "must customer.plain.accepted",
        "must customer.body.object",
        "must customer.id.form",
        "must customer.id.new",
        "must customer.name.echoed",
        "must customer.email.echoed",
        "must customer.reply.own",
        "must customer.encoding.irrelevant",
        "must token.plain.accepted",
        "must token.body.json",
        "must token.credential.present",
        "must token.credential.own",
        "must token.credential.distinct",
        "must token.encoding.irrelevant",
        "must auth.customers.key.required",
        "must auth.customers.bearer.required",
        "must auth.customers.key.exact",
        "must auth.customers.request.each",
        "must auth.tokens.key.required",
        "must auth.tokens.bearer.required",
        "must auth.tokens.key.exact",
        "must auth.tokens.request.each",
        "must auth.tokens.key.static",
        "should auth.refusal.unauthorized",
        "should auth.refusal.challenge",
        "should auth.scheme.case",
        "should auth.key.unreflected",
        "should json.content.type",
        "should json.utf8",
        "should input.wide.answered",
        "should input.malformed.answered",
        "should token.response.uncached",
        "should http.field.case",
        "should http.date",
        "should http.method.allow",
        "declared token.life.accepted",
        "declared token.life.ended",
        "declared token.life.scoped",
        "declared token.life.unaltered",
      ]
    `);
  });

  it('cites a section of the interface for each, and an RFC for each advisory one', () => {
    for (const id of requirementIds) {
      const { level, section, source, statement } = entryOf(id);
      expect(section).toMatch(/^[1-9](?:\.\d)?$/);
      expect(statement).toMatch(/\.$/);
      expect(source === undefined).toBe(level !== 'should');
    }
  });
});
