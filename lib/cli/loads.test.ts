import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The packages that a module and all that it imports load at once; what is loaded when it is needed is not there. */
function loadedWith(entry: string): string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(path, 'utf8');
    for (const [, name] of text.matchAll(/^(?:import|export)(?! type\b)[^'=(]*'([^']+)';/gm)) {
      if (name!.startsWith('.')) visit(join(dirname(path), name!));
      // Whoever imports node:http loads fetch and WebSocket with it.
      else if (!name!.startsWith('node:') || /^node:https?$/.test(name!)) packages.add(name!);
    }
  };
  visit(join(root, entry));
  return [...packages].toSorted();
}

// Each of them is time before the first request, in every run.
it.each([
  ['lib/cli/main.ts', []],
  ['lib/cli/run.ts', ['dotenv', 'vitest/node']],
  ['lib/cli/global-setup.ts', ['dotenv']],
  ['suites/conformance.test.ts', ['fast-check', 'node:http', 'node:https', 'undici', 'vitest']],
])('%s loads no more than it needs', (entry, packages) => {
  expect(loadedWith(entry)).toEqual(packages);
});
