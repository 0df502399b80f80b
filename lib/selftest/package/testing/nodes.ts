import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { done } from './command.ts';

/** The oldest Node that package.json admits, and the newest line, beside the one that runs this. */
const others = ['22.19.0', '26.10.0'];

/** Executables of the versions of Node that are supported, by version; those that are missing are installed. */
export async function nodesIn(folder: string): Promise<Record<string, string>> {
  const binary = (version: string): string =>
    join(folder, `node_modules/${version}/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`);
  const missing = others.filter((version) => !existsSync(binary(version)));
  if (missing.length > 0) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    const specifiers = missing.map(
      (version) => `${version}@npm:node-${process.platform}-${process.arch}@${version}`,
    );
    await done('npm', ['install', '--no-audit', '--no-fund', ...specifiers], folder);
  }
  return {
    [process.versions.node]: process.execPath,
    ...Object.fromEntries(others.map((version) => [version, binary(version)])),
  };
}
