import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build as bundle } from 'rolldown';
import type { Plugin } from 'rolldown';
import { packageRoot } from '../../settings/package-root.ts';
import { jsonSchemas } from './json-schemas.ts';
import { newFolder } from '../files.ts';

const dist = join(packageRoot, 'dist');
const library = 'lib/library/index';
// Modules that are loaded by their path. Code that they share goes into chunks.
const tests = readdirSync(join(packageRoot, 'suites'))
  .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.unit.test.ts'))
  .map((name) => `suites/${name.slice(0, -'.ts'.length)}`);
const entries = ['lib/cli/main', 'lib/cli/global-setup', ...tests, library];

/**
 * Builds the published package into dist/. It is plain JavaScript, because Node strips no types within node_modules.
 * @returns the path of its command
 */
export async function build(): Promise<string> {
  rmSync(dist, { recursive: true, force: true });
  await bundle({
    cwd: packageRoot,
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
    platform: 'node',
    plugins: [keepSourceFolders],
    // `sideEffects` in package.json lists built files, not sources.
    treeshake: { moduleSideEffects: () => true },
    // Dependencies are installed beside the package.
    external: (id) => !/^(?:\.|\/|[A-Z]:)/i.test(id),
    output: { dir: dist, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
  });
  writeDeclarations();
  writeSchemas();
  return join(dist, 'lib/cli/main.js');
}

/** Makes bundled modules find the files beside their sources, which are published where they are. */
const keepSourceFolders: Plugin = {
  name: 'keep-source-folders',
  transform: (code, id) =>
    code.replaceAll('import.meta.dirname', `SOURCE_FOLDER(${JSON.stringify(dirname(id))})`),
  renderChunk: (code, { fileName }) =>
    code.replaceAll(/SOURCE_FOLDER\(("[^"]+")\)/g, (_, folder: string) => {
      const path = relative(dirname(join(dist, fileName)), JSON.parse(folder) as string);
      return `(import.meta.dirname + ${JSON.stringify(`/${path.replaceAll('\\', '/')}`)})`;
    }),
};

/** In a declaration: `from './a.ts'`, or `import("./a.ts")` in an inferred type. */
const RELATIVE_IMPORT = /(?<=from '|import\(")(\.[^'"]*)\.ts(?=['"])/g;

/** Writes the type declarations of the library entry and of the modules that they import. */
function writeDeclarations(): void {
  const all = newFolder();
  const compiler = join(packageRoot, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'lib/library/tsconfig.json', '--outDir', all], {
    cwd: packageRoot,
    stdio: 'inherit',
  });
  // So that a project without its own reference to them finds the types of Node.
  const entry = join(all, `${library}.d.ts`);
  writeFileSync(entry, `/// <reference types="node" />\n${readFileSync(entry, 'utf8')}`);
  const wanted = new Set([library]);
  for (const path of wanted) {
    const text = readFileSync(join(all, `${path}.d.ts`), 'utf8');
    for (const [, specifier] of text.matchAll(RELATIVE_IMPORT)) wanted.add(join(dirname(path), specifier!));
    mkdirSync(join(dist, dirname(path)), { recursive: true });
    writeFileSync(join(dist, `${path}.d.ts`), text.replace(RELATIVE_IMPORT, '$1.js'));
  }
  rmSync(all, { recursive: true });
}

/** Writes the JSON Schemas of the files that the command reads and writes. */
function writeSchemas(): void {
  const folder = join(dist, 'schemas');
  mkdirSync(folder);
  for (const [name, schema] of Object.entries(jsonSchemas()))
    writeFileSync(join(folder, name), `${JSON.stringify(schema, undefined, 2)}\n`);
}

if (import.meta.main) await build();
