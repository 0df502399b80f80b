import { registerHooks } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TestRunner, describe } from 'vitest';
import { Inconclusive } from '../lib/engine/observation.ts';
import { Packed } from '../lib/engine/packed.ts';
import { createdBy } from '../lib/engine/run.ts';
import type { Run } from '../lib/engine/run.ts';
import { bindOwn, defineOwn } from '../lib/engine/bind-own.ts';
import { placeIn } from '../lib/engine/place.ts';
import { provideOwn } from '../lib/engine/own.ts';
import { modulePath, packageRoot } from '../lib/settings/package-root.ts';
import type { CustomSuites } from '../lib/settings/settings.ts';
import type { Exchange } from '../lib/target/exchange.ts';
import { Target } from '../lib/target/target.ts';

/** Modules that a suite of somebody's own shares with this one, wherever it stands. */
const shared = ['cts-conformance', 'fast-check', 'vitest', 'zod'];

/**
 * Loads the suites of somebody's own. They come after those of the interface, over connections of their
 * own: whatever becomes of them, the interface is judged by then.
 */
export function loadOwn(run: Run, { folder, files }: CustomSuites): Run {
  const own = runAfter(run);
  const titles = new Set<string>();
  let source = '';
  const define = bindOwn(
    own,
    () => source,
    (title) => titles.add(title),
  );
  shareModules(pathToFileURL(folder).href);
  provideOwn(define);
  describe('own suites', { concurrent: false }, async () => {
    const { tasks } = TestRunner.getCurrentSuite();
    for (const file of files) {
      source = relative(folder, file);
      const problem = await Promise.race([
        import(pathToFileURL(file).href).then(
          () => undefined,
          (error: unknown) =>
            `it can't be loaded${placeIn(error instanceof Error ? (error.stack ?? '') : '', file)}: ${String(error)}${hintFor(error)}`,
        ),
        delay(LONGEST_LOAD, `it can't be loaded: it was still not done after ${LONGEST_LOAD / 1000} s`, {
          ref: false,
        }),
      ]);
      const plain = tasks.filter(({ type, name }) => type !== 'test' || !titles.has(name));
      for (const task of plain) tasks.splice(tasks.indexOf(task), 1);
      const reason =
        problem ?? (plain.length > 0 ? 'it has plain tests; use requirement of cts-conformance' : undefined);
      if (reason === undefined) continue;
      defineOwn(
        own,
        { id: source, source, statement: 'The suite can be run.' },
        (title) => titles.add(title),
        () => Promise.reject(new Inconclusive(reason)),
      );
    }
  });
  return own;
}

/** Milliseconds that a suite may take to load. */
const LONGEST_LOAD = 10_000;

const hintFor = (error: unknown): string =>
  /outside a module|Unexpected token 'export'/.test(String(error))
    ? `. Its package.json says that it is CommonJS: end its name in .suite.mts or .suite.mjs, or set "type": "module"`
    : '';

/** A run over the same target, with what the other one has left of its budget. */
function runAfter(run: Run): Run {
  const { settings } = run;
  const limits = {
    ...settings,
    get maxRequests() {
      return settings.maxRequests - run.target.traffic.requests;
    },
  };
  const created = new Packed<string>();
  const onReply = (exchange: Exchange): void => {
    for (const id of createdBy(exchange)) created.push(id);
  };
  const target = new Target(settings.baseUrl, limits, { onReply }, run.target.redactor);
  return {
    ...run,
    target,
    created,
    get tag() {
      return run.tag;
    },
    explored: (_, explore) => explore(),
  };
}

function shareModules(folder: string): void {
  const library = pathToFileURL(join(packageRoot, modulePath('lib/library/index'))).href;
  registerHooks({
    resolve: (specifier, context, next) => {
      if (!shared.includes(specifier) || !context.parentURL?.startsWith(`${folder}/`))
        return next(specifier, context);
      return specifier === 'cts-conformance'
        ? { url: library, format: null, shortCircuit: true }
        : next(specifier, { ...context, parentURL: library });
    },
  });
}
