import { createRequire, registerHooks, syncBuiltinESMExports } from 'node:module';

/** A replacement in a source file. */
interface Edit {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

/** Defects to put into the suite before it runs. */
interface Sabotage {
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
  NODE_OPTIONS: `--import=${import.meta.url} ${nodeOptions}`,
});

/** A statement that runs as soon as the suites are loaded, in their thread. */
export const inSuites = (statement: string): Edit => ({
  file: 'suites/suites.ts',
  find: 'export const suites',
  put: `${statement}; export const suites`,
});

/** Puts the defects into the process that preloads this module. */
function breakHere({ sources = [], write }: Sabotage): void {
  const files = createRequire(import.meta.url)('node:fs/promises') as Record<
    'readFile' | 'writeFile',
    (path: unknown, ...rest: unknown[]) => Promise<unknown>
  >;
  const { readFile, writeFile } = files;

  const isBroken = (name: string): boolean => sources.some(({ file }) => name.endsWith(file));

  const broken = (name: string, text: string): string =>
    sources
      .filter(({ file }) => name.endsWith(file))
      .reduce((left, { file, find, put }) => {
        if (!left.includes(find)) throw new Error(`nothing to sabotage in ${file}`);
        return left.replace(find, () => put);
      }, text);

  // The main thread loads with Node; the thread of the suites is given its sources by Vite, which reads them.
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!isBroken(url)) return loaded;
      return { ...loaded, source: broken(url, Buffer.from(loaded.source as Uint8Array).toString()) };
    },
  });
  files.readFile = async (path, ...rest) => {
    const text = await readFile(path, ...rest);
    return typeof text === 'string' && isBroken(String(path)) ? broken(String(path), text) : text;
  };

  if (write) {
    files.writeFile = async (path, ...rest) => {
      if (!String(path).includes(write.file)) return writeFile(path, ...rest);
      throw Object.assign(new Error(`${write.code}, write`), { code: write.code });
    };
  }

  syncBuiltinESMExports();
}

const here = process.env['CTS_SABOTAGE'];
if (here !== undefined) breakHere(JSON.parse(here) as Sabotage);
