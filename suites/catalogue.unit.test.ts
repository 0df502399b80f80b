import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';

const { requirements, questions } = catalogue;

describe('catalogue', () => {
  it('keeps its ids: profiles, waivers and reports refer to them', () => {
    expect(requirements.map(({ id, level }) => `${level} ${id}`)).toMatchInlineSnapshot(`
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
        "must auth.tokens.key.static",
        "must auth.tokens.request.each",
        "should auth.rejection.unauthorized",
        "should auth.rejection.challenge",
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

  it('has each id once', () => {
    const ids = [...requirements, ...questions].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('every requirement', () => {
  it('has its statement, problem, reason, test and failure as whole sentences', () => {
    for (const { id, section, statement, problem, sentence, why, tested, failure } of requirements) {
      expect(section, id).toMatch(/^[1-9](?:\.\d)?$/);
      for (const text of [statement, problem]) expect(text, id).toMatch(/^\w.+\.$/);
      expect(sentence, id).toMatch(/^\S.{10,}\S$/);
      for (const text of [why, tested, failure]) expect(text, id).toMatch(/^[A-Z`{].{20,}[.…]$/);
      expect(new Set([statement, problem, sentence, why, tested, failure]).size, id).toBe(6);
    }
  });

  it('cites an RFC only if it is a should, and questions only if it is declared', () => {
    const questionIds = questions.map(({ id }) => id);
    for (const { id, level, source, needs } of requirements) {
      expect(source !== undefined, id).toBe(level === 'should');
      expect(needs !== undefined, id).toBe(level === 'declared');
      expect(questionIds, id).toEqual(expect.arrayContaining([...(needs ?? [])]));
    }
  });

  it('judges scenarios, either single exchanges or all together', () => {
    for (const { id, over, unanswered, check, compare } of requirements) {
      expect(over.length, id).toBeGreaterThan(0);
      expect(new Set(over.map(({ name }) => name)).size, id).toBe(over.length);
      expect(over, id).toEqual(expect.arrayContaining([...(unanswered?.in ?? [])]));
      expect((check === undefined) !== (compare === undefined), id).toBe(true);
    }
  });

  it('rests on requirements that come before it and judge the same scenarios', () => {
    for (const [at, { id, over, restsOn = [] }] of requirements.entries()) {
      for (const other of restsOn) {
        expect(
          requirements.slice(0, at).map((one) => one.id),
          id,
        ).toContain(other.id);
        expect(other.over, id).toEqual(expect.arrayContaining([...over]));
      }
    }
  });
});
