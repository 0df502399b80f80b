import consumers from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { open } from '../../lib/engine/run.testing.ts';
import { http } from '../../lib/target/target.testing.ts';
import type { Probe } from '../../lib/engine/operations/probe.ts';
import { questions } from '../catalogue.ts';
import { longestAccepted } from './ask.ts';

describe('the open questions', () => {
  it('of a status or a length say what a profile may declare', () => {
    const measured = questions.filter(({ id }) => /\.(?:status|longest)$/.test(id));
    expect(measured.length).toBeGreaterThan(5);
    for (const { id, declarable } of measured) {
      expect([id, declarable?.allows(201)]).toEqual([id, true]);
      expect([id, declarable?.allows([[{ other: '201' }]])]).toEqual([id, false]);
    }
  });

  it('keep their ids: profiles refer to them', () => {
    expect(questions.map(({ asked, id }) => `${asked} ${id}`)).toMatchInlineSnapshot(`
      [
        "probed service.paths",
        "observed customer.members",
        "probed customer.members.missing",
        "probed customer.members.null",
        "probed customer.members.typed",
        "probed customer.members.unknown",
        "probed customer.name.longest",
        "probed customer.email.longest",
        "probed customer.name.classes",
        "probed customer.email.classes",
        "probed customer.email.twice",
        "probed customer.email.case",
        "probed customer.pair.twice",
        "observed token.members",
        "observed customer.state",
        "probed token.earlier",
        "observed response.fields",
        "probed response.coding",
        "probed request.content-type",
        "probed request.malformed",
        "observed customer.create.status",
        "observed token.issue.status",
        "observed token.response.credential",
        "observed token.credential.form",
        "probed token.request.members",
        "probed token.request.content-type",
        "probed operations.read",
        "observed auth.rejection.status",
        "observed auth.challenge.form",
        "observed token.expires_in.unit",
        "observed token.response.expiry",
        "probed token.lifetimes",
        "operator token.leeway",
        "observed token.lifetime.reported",
        "probed token.scopes",
        "probed token.scopes.allow",
        "observed token.scopes.reported",
        "probed token.presentation",
        "probed service.events",
        "observed error.status",
        "observed error.body",
        "observed limits.fields",
        "observed limits.exceeded.fields",
        "probed version.other",
        "probed protocol.versions",
      ]
    `);
  });

  it.each(questions)('$id has a unique id, a text and a section', (question) => {
    expect(questions.filter(({ id }) => id === question.id)).toHaveLength(1);
    expect(question.section).toMatch(/^[1-9](?:\.\d)?$/);
    expect(question.question).toMatch(/^[A-Z].*\?$/);
    expect(question.answer).toMatch(/^\S.*[^.]$/);
  });

  it.each(questions)('$id is answered as it states', ({ asked, ask, over = [] }) => {
    expect(ask === undefined).toBe(asked === 'operator');
    expect(over.length > 0 || asked !== 'observed').toBe(true);
    expect(new Set(over).size).toBe(over.length);
  });
});

describe('the longest email address', () => {
  it.each(['example.com', 'a-domain-of-more-than-32-characters.example.com'])(
    'is found under %s',
    async (emailDomain) => {
      const baseUrl = await http(async (request, response) => {
        const text = await consumers.text(request);
        const sent = JSON.parse(text) as { email: string };
        response
          .writeHead(sent.email.length > 254 ? 422 : 201, { 'Content-Type': 'application/json' })
          .end(JSON.stringify(sent.email.length > 254 ? { error: 'too long' } : { id: 'cus_1', ...sent }));
      });
      const run = open({ baseUrl }, { settings: { emailDomain } });
      const { ask } = questions.find(({ id }) => id === 'customer.email.longest')!;
      expect((await ask!(run, () => [])).answer).toBe(254);
    },
  );
});

describe('the greatest accepted length', () => {
  const usual = [10, 20, 21, 40, 41, 100];
  const upTo = (limit: number) => async (length: number) =>
    ({ accepted: length <= limit, exchange: { number: length } }) as Probe;

  it.each([
    [9, 'less than 10'],
    [10, 10],
    [20, 20],
    [21, 21],
    [22, 22],
    [38, 38],
    [99, 99],
    [100, '100 or more'],
  ])('is found where it is %i', async (limit, answer) => {
    expect((await longestAccepted(usual, upTo(limit))).answer).toBe(answer);
  });

  it('comes with the decisive exchange first', async () => {
    const { exchanges } = await longestAccepted(usual, upTo(40));
    expect(exchanges.map(({ number }) => number)).toEqual([41, 40, 21, 10, 100]);
  });
});
