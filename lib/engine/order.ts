import type { Phase, Scenario } from './scenario.ts';

/**
 * Names of all phases that must be over before a phase, directly or not.
 * @param own undefined for a scenario of no phase, which comes last
 */
export function phasesBefore(plan: readonly Phase[], own: Phase | undefined): ReadonlySet<string> {
  const names = new Set(own?.after ?? plan.map(({ name }) => name));
  for (const name of names)
    for (const other of plan.find((phase) => phase.name === name)?.after ?? []) names.add(other);
  return names;
}

/** Some scenarios and all that they use. */
export function withUsed(scenarios: readonly Scenario[]): ReadonlySet<Scenario> {
  const all = new Set(scenarios);
  for (const { uses = [] } of all) for (const used of uses) all.add(used);
  return all;
}
