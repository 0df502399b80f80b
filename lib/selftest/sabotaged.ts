import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A replacement in a source file. */
interface Edit {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

/** Defects to put into the suite before it runs. */
export interface Sabotage {
  readonly sources?: readonly Edit[];
  /** Writing a file whose path holds this text fails with this code. */
  readonly write?: { readonly file: string; readonly code: string };
}

/**
 * The environment that puts defects into the command, in all of its threads, so that the tests can run it as users
 * do.
 */
export const sabotaged = (sabotage: Sabotage, nodeOptions = ''): Record<string, string> => ({
  CTS_SABOTAGE: JSON.stringify(sabotage),
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'sabotage.ts')).href} ${nodeOptions}`,
});

/** A statement that runs as soon as the suites are loaded, in their thread. */
export const inSuites = (statement: string): Edit => ({
  file: 'suites/suites.ts',
  find: 'export const suites',
  put: `${statement}; export const suites`,
});
