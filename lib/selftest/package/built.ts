import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../settings/package-root.ts';

/** Builds the package, as vendors install it. @returns the path of its command */
export function builtCommand(): string {
  execFileSync(process.execPath, [join(packageRoot, 'lib/selftest/package/build.ts')]);
  return join(packageRoot, 'dist/lib/cli/main.js');
}
