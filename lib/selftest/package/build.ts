import { rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'rolldown';
import type { Plugin } from 'rolldown';
import { packageRoot } from '../../settings/package-root.ts';
import { writeDeclarations } from './declarations.ts';

// `npm run build`: the published package is plain JavaScript, as Node strips no types within node_modules.
// A module whose path others know is an entry; what entries share goes into chunks.
const library = 'lib/library/index';
const entries = ['lib/cli/main', 'lib/cli/global-setup', 'suites/conformance.test', library];

/** Code moves, what it reads does not: a module finds the files beside its source where they were. */
const besideSource: Plugin = {
  name: 'beside-source',
  transform: (code, id) =>
    code.replaceAll('import.meta.dirname', `SOURCE_FOLDER(${JSON.stringify(dirname(id))})`),
  renderChunk: (code, { fileName }) =>
    code.replaceAll(/SOURCE_FOLDER\(("[^"]+")\)/g, (_, folder: string) => {
      const way = relative(dirname(join(dist, fileName)), JSON.parse(folder) as string).replaceAll('\\', '/');
      return `(import.meta.dirname + ${JSON.stringify(`/${way}`)})`;
    }),
};

const dist = join(packageRoot, 'dist');
rmSync(dist, { recursive: true, force: true });
await build({
  cwd: packageRoot,
  input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
  platform: 'node',
  plugins: [besideSource],
  // What package.json says of side effects is about the built files.
  treeshake: { moduleSideEffects: () => true },
  // Dependencies are installed beside the package, never copied into it.
  external: (id) => !/^(?:\.|\/|[A-Z]:)/i.test(id),
  output: { dir: dist, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
});
writeDeclarations(library, dist);
