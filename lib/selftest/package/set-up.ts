import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '../../settings/package-root.ts';
import { execute } from '../command.ts';
import type { ProcessResult } from '../command.ts';
import { newFolder } from '../files.ts';

declare module 'vitest' {
  interface ProvidedContext {
    packed: Packed;
  }
}

/** The package, packed and installed. */
interface Packed {
  readonly tarball: string;
  /** A folder in which only the tarball is installed. */
  readonly folder: string;
  /** Executables of the supported versions of Node, by version. */
  readonly nodes: Readonly<Record<string, string>>;
}

/** A global setup: builds, packs and installs the package once, as `npm publish` and `npm install` do. */
export async function setup(project: TestProject): Promise<() => void> {
  const scratch = newFolder();
  const packing = await succeed('npm', ['pack', '--json', '--pack-destination', scratch], packageRoot);
  const name = /cts-conformance-[\w.-]+\.tgz/.exec(packing.stdout)![0];
  const tarball = join(scratch, name);
  const folder = join(scratch, 'empty');
  const [nodes] = await Promise.all([
    installNodes(join(packageRoot, 'node_modules/.cache/nodes')),
    succeed(
      'npm',
      ['install', '--prefix', folder, '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', tarball],
      scratch,
    ),
  ]);
  project.provide('packed', { tarball, folder, nodes });
  return () => rmSync(scratch, { recursive: true, force: true });
}

/** The oldest supported version of Node and the newest one; the tests run on these and on the current one. */
const otherNodes = ['22.19.0', '26.10.0'];

/** Installs the versions of Node that are missing. @returns the executables, by version */
async function installNodes(folder: string): Promise<Record<string, string>> {
  const binary = (version: string): string =>
    join(folder, `node_modules/${version}/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`);
  const missing = otherNodes.filter((version) => !existsSync(binary(version)));
  if (missing.length > 0) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    const specifiers = missing.map(
      (version) => `${version}@npm:node-${process.platform}-${process.arch}@${version}`,
    );
    await succeed('npm', ['install', '--no-audit', '--no-fund', ...specifiers], folder);
  }
  return {
    [process.versions.node]: process.execPath,
    ...Object.fromEntries(otherNodes.map((version) => [version, binary(version)])),
  };
}

/** Runs a program that must exit with 0. @throws {Error} with what it printed */
export async function succeed(file: string, args: readonly string[], cwd: string): Promise<ProcessResult> {
  const result = await execute(file, args, { cwd });
  if (result.code === 0) return result;
  throw new Error(`${file} ${args.join(' ')} exited with ${result.code}\n${result.stdout}\n${result.stderr}`);
}
