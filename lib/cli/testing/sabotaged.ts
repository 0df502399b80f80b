import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A piece of a source file, and what stands in its place. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

/** What is broken in the suite before it runs. */
export interface Sabotage {
  readonly sources?: readonly Edit[];
  /** Writing a file whose path holds this text fails with this code. */
  readonly write?: { readonly file: string; readonly code: string };
}

/**
 * The environment in which the command is broken, in each of its threads: so the suite's own faults are tested
 * through the command that users run.
 */
export const sabotaged = (sabotage: Sabotage, nodeOptions = ''): Record<string, string> => ({
  CTS_SABOTAGE: JSON.stringify(sabotage),
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'sabotage.ts')).href} ${nodeOptions}`,
});

/** A statement that runs as soon as the suites are loaded, in their thread. */
export const inSuites = (statement: string): Edit => ({
  file: 'suites/checks.ts',
  find: 'export const isAccepted',
  put: `${statement}; export const isAccepted`,
});
