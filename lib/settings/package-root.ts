import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package: the checkout, or where npm has installed it. */
export const packageRoot = upToPackage(import.meta.dirname);

function upToPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : upToPackage(dirname(folder));
}
