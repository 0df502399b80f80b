import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../settings/package-root.ts';

const SPECIFIER = /(?<=from ')(\.[^']*)\.ts(?=')/g;

/**
 * Writes the declarations of the library entry, and of nothing that its types don't name: the compiler
 * writes those of every module that the code needs.
 */
export function writeDeclarations(entry: string, dist: string): void {
  const all = mkdtempSync(join(tmpdir(), 'cts-declarations-'));
  const compiler = join(packageRoot, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'lib/library/tsconfig.json', '--outDir', all], {
    cwd: packageRoot,
    stdio: 'inherit',
  });
  const wanted = new Set([entry]);
  for (const path of wanted) {
    const text = readFileSync(join(all, `${path}.d.ts`), 'utf8');
    for (const [, specifier] of text.matchAll(SPECIFIER)) wanted.add(join(dirname(path), specifier!));
    mkdirSync(join(dist, dirname(path)), { recursive: true });
    writeFileSync(join(dist, `${path}.d.ts`), text.replace(SPECIFIER, '$1.js'));
  }
  rmSync(all, { recursive: true });
}
