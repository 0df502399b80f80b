import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { packageRoot } from '../settings/package-root.ts';
import { writeDeclarations } from './declarations.ts';

// `npm run build`: the published package is plain JavaScript, as Node strips no types within node_modules.
// A module whose path others know is an entry; what entries share goes into chunks.
const library = 'lib/library/index';
const entries = ['lib/cli/main', 'lib/cli/global-setup', 'suites/conformance.test', library];

const dist = join(packageRoot, 'dist');
rmSync(dist, { recursive: true, force: true });
await build({
  cwd: packageRoot,
  input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
  platform: 'node',
  // What package.json says of side effects is about the built files.
  treeshake: { moduleSideEffects: () => true },
  // Dependencies are installed beside the package, never copied into it.
  external: (id) => !/^(?:\.|\/|[A-Z]:)/i.test(id),
  output: { dir: dist, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
});
writeDeclarations(library, dist);
