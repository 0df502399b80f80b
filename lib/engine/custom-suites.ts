import { spawnSync } from 'node:child_process';
import { registerHooks } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { modulePath, packageRoot } from '../settings/package-root.ts';
import type { CustomSuites } from '../settings/run-settings.ts';
import { printable } from '../target/output/printable.ts';
import type { Catalogue } from './catalogue.ts';
import type { Requirement } from './requirement.ts';
import type { Scenario } from './scenario.ts';

/** The requirements that a file of a custom suite exports, or why it can't be used. */
export interface CustomSuite {
  /** Path of the file below the folder. */
  readonly file: string;
  readonly requirements: readonly Requirement[];
  readonly problem: string | undefined;
}

/** Modules that a custom suite shares with this one, wherever its folder is. */
const shared = ['cts-conformance', 'fast-check', 'vitest', 'zod'];

/** Milliseconds that a file may take to load. */
const LONGEST_LOAD = 10_000;

const ID = /^[a-z][\w-]*(?:\.[\w-]+)+$/;

/** Loads the requirements that the files of custom suites export. @param catalogue whose ids they may not have */
export async function loadCustomSuites(
  { folder, files }: CustomSuites,
  catalogue: Catalogue,
): Promise<readonly CustomSuite[]> {
  shareModules(pathToFileURL(folder).href);
  const ids = new Set([...catalogue.requirements, ...catalogue.questions].map(({ id }) => id));
  const scenarios = new Map<string, Scenario>();
  const loaded: CustomSuite[] = [];
  for (const path of files) loaded.push(await load(path, relative(folder, path), ids, scenarios));
  return loaded;
}

async function load(
  path: string,
  file: string,
  ids: Set<string>,
  scenarios: Map<string, Scenario>,
): Promise<CustomSuite> {
  try {
    const exported = await Promise.race([
      import(pathToFileURL(path).href) as Promise<Readonly<Record<string, unknown>>>,
      delay(LONGEST_LOAD, undefined, { ref: false }),
    ]);
    if (exported === undefined) throw new Unusable(`it took more than ${LONGEST_LOAD / 1000} s to load`);
    // A requirement may be exported by its name and in a list.
    const requirements = [...new Set(Object.values(exported).flat().filter(isRequirement))];
    if (requirements.length === 0)
      throw new Unusable('it exports no requirement; plain Vitest tests do not count');
    for (const { id } of requirements) {
      if (!ID.test(id) || id.length > 80)
        throw new Unusable(
          `the id ${JSON.stringify(id)}: expected words separated by dots, such as acme.order.item`,
        );
      if (ids.has(id)) throw new Unusable(`the id ${id} is already used; choose another one`);
      ids.add(id);
    }
    for (const scenario of requirements.flatMap(({ over }) => over)) {
      // Its nonces come from its name.
      if ((scenarios.get(scenario.name) ?? scenario) !== scenario)
        throw new Unusable(
          `the scenario ${JSON.stringify(scenario.name)}: another scenario has this name; give it one of its own`,
        );
      scenarios.set(scenario.name, scenario);
    }
    for (const { id, statement, section } of requirements)
      for (const [name, value] of Object.entries({ statement, section }))
        if (typeof value !== 'string' || value === '')
          throw new Unusable(`the ${name} of ${id}: expected a text that is not empty`);
    return { file, requirements: requirements.map(withValidatedCheck), problem: undefined };
  } catch (error) {
    return { file, requirements: [], problem: problemOf(error, path, file) };
  }
}

/** A problem of a file that could be loaded. */
class Unusable extends Error {}

/** Why a file can't be used, on one line: its text may come from anywhere. */
function problemOf(error: unknown, path: string, file: string): string {
  const text = error instanceof Unusable ? error.message : `${String(error)}${hintFor(error)}`;
  return `${printable(file)}${lineOf(error, path)}: ${printable(text)}`;
}

/** The line of the file, or of a file beside it that it imports, where it fails; empty if it is unknown. */
function lineOf(error: unknown, file: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const own = lineIn(stack, file);
  if (own !== '' || !(error instanceof SyntaxError)) return own;
  const folder = dirname(file);
  const [, beside] = stack.split(`${folder}/`)[1]?.match(/^([^\s:]+):\d/) ?? [];
  if (beside !== undefined) return `, in ${printable(beside)}${lineIn(stack, join(folder, beside))}`;
  // Node prints the line of a syntax error in JavaScript, but the error object lacks it.
  return lineIn(spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr, file);
}

const hintFor = (error: unknown): string =>
  /outside a module|Unexpected token 'export'/.test(String(error))
    ? `. By its package.json it is CommonJS: end its name in .suite.mts or .suite.mjs, or set "type": "module"`
    : '';

function isRequirement(value: unknown): value is Requirement {
  const { id, over, check, compare } = (value ?? {}) as Partial<Requirement>;
  return typeof id === 'string' && Array.isArray(over) && (check ?? compare) !== undefined;
}

/** Validates what a check returns, as the code of a custom suite may be JavaScript. */
const withValidatedCheck = (requirement: Requirement): Requirement => ({
  ...requirement,
  level: requirement.level ?? 'must',
  ...(requirement.check && {
    check: (observation, settings) => {
      const violation: unknown = requirement.check!(observation, settings);
      if (violation === undefined) return undefined;
      // No code awaits it, so its rejection would end the run.
      if (violation instanceof Promise) violation.catch(() => {});
      const { expected, actual, pointer } = (violation ?? {}) as Record<string, unknown>;
      if (typeof expected !== 'string' || typeof actual !== 'string')
        throw new TypeError(
          'check must return undefined or { expected, actual }, two strings; it must not be async',
        );
      return {
        expected: printable(expected),
        actual: printable(actual),
        ...(typeof pointer === 'string' && { pointer }),
      };
    },
  }),
});

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

/** The line of a file where an error was thrown, by its stack; empty if the stack does not show it. */
export function lineIn(stack: string, file: string): string {
  const after = stack.split(pathToFileURL(file).href)[1] ?? stack.split(file)[1];
  const [, line] = after?.match(/^:(\d+)/) ?? [];
  return line === undefined ? '' : ` (line ${line})`;
}
