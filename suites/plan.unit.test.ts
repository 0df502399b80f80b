import { describe, expect, it } from 'vitest';
import { firstContact } from '../lib/engine/readiness/first-contact.ts';
import { phasesBefore, withUsed } from '../lib/engine/scenario.ts';
import { catalogue } from './catalogue.ts';
import { plan } from './plan.ts';

const { requirements, questions } = catalogue;
const names = plan.map(({ name }) => name);
const scenarios = plan.flatMap(({ sends }) => sends);

const duplicatesIn = (list: readonly string[]): string[] =>
  list.filter((one, at) => list.indexOf(one) !== at);

describe('the plan of a run', () => {
  it('sends each scenario of a requirement or a question, and those that it uses, in exactly one phase', () => {
    const needed = withUsed([...requirements, ...questions].flatMap(({ over = [] }) => over));
    for (const one of needed) {
      const phases = plan.filter(({ sends }) => sends.includes(one));
      expect(phases, one.name).toHaveLength(1);
    }
    expect(new Set(scenarios).size).toBe(scenarios.length);
  });

  it('sends nothing that no requirement and no question needs, except the first contact', () => {
    const needed = withUsed([...requirements, ...questions].flatMap(({ over = [] }) => over));
    const others = scenarios.filter((one) => !needed.has(one) && !firstContact.sends.includes(one));
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  it('has unique names of phases and scenarios', () => {
    expect(duplicatesIn(names)).toEqual([]);
    expect(duplicatesIn(scenarios.map(({ name }) => name))).toEqual([]);
  });

  it('begins with the first contact, which all other phases wait for', () => {
    const [first, ...others] = plan;
    expect(first).toBe(firstContact);
    expect(first!.after).toEqual([]);
    for (const phase of others) expect([...phasesBefore(plan, phase)], phase.name).toContain('first contact');
  });

  it('waits for phases that exist, and never for itself', () => {
    for (const phase of plan) {
      expect(names, phase.name).toEqual(expect.arrayContaining([...phasesBefore(plan, phase)]));
      expect([...phasesBefore(plan, phase)], phase.name).not.toContain(phase.name);
    }
  });

  it('sends a scenario after those that it uses', () => {
    for (const phase of plan) {
      const earlier = plan
        .filter(({ name }) => phasesBefore(plan, phase).has(name))
        .flatMap(({ sends }) => sends);
      for (const { name, uses = [] } of phase.sends)
        expect(
          earlier.map((one) => one.name),
          name,
        ).toEqual(expect.arrayContaining(uses.map((one) => one.name)));
    }
  });

  it('has fewer than 66 scenarios: one character, or y and one, identifies each in nonces', () => {
    expect(scenarios.length).toBeLessThan(66);
  });
});
