import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '../../../settings/package-root.ts';
import { done } from './command.ts';
import { nodesIn } from './nodes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    packed: Packed;
  }
}

/** The package as a vendor has it. */
export interface Packed {
  readonly tarball: string;
  /** A folder with nothing but the tarball's install. */
  readonly folder: string;
  /** Executables of Node, by version. */
  readonly nodes: Readonly<Record<string, string>>;
}

/** Builds, packs and installs the package once, as `npm publish` and a vendor do. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const scratch = mkdtempSync(join(tmpdir(), 'cts-package-'));
  const packing = await done('npm', ['pack', '--json', '--pack-destination', scratch], packageRoot);
  const name = /cts-conformance-[\w.-]+\.tgz/.exec(packing.stdout)![0];
  const tarball = join(scratch, name);
  const folder = join(scratch, 'empty');
  const [nodes] = await Promise.all([
    nodesIn(join(packageRoot, 'node_modules/.cache/nodes')),
    done(
      'npm',
      ['install', '--prefix', folder, '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', tarball],
      scratch,
    ),
  ]);
  project.provide('packed', { tarball, folder, nodes });
  return () => rmSync(scratch, { recursive: true, force: true });
}
