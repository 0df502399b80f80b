import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package: the checkout, or where npm has installed it. Files that are no code are found from here. */
export const packageRoot = upToPackage(import.meta.dirname);

function upToPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : upToPackage(dirname(folder));
}
