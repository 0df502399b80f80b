import { inject } from 'vitest';
import { Inconclusive } from '../lib/engine/observation.ts';
import { judge } from '../lib/engine/judge.ts';
import { loadCustomSuites } from './custom.ts';
import { suites } from './suites.ts';

const { customSuites, evidence } = inject('target');
const loaded = customSuites && evidence === undefined ? await loadCustomSuites(customSuites) : [];
const all = loaded.flatMap(({ requirements }) => requirements);

for (const { source, requirements, problem } of loaded) {
  if (problem === undefined)
    suites.custom(source, requirements, (requirement, conformance) =>
      judge(conformance.customRun(all), requirement),
    );
  else
    suites.custom(source, [{ id: source, statement: 'The suite can be run.' }], () =>
      Promise.reject(new Inconclusive(problem)),
    );
}
