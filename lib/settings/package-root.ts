import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

/** The folder of the package: the checkout, or where npm has installed it. */
export const packageRoot = upToPackage(import.meta.dirname);

/** Whether this is the built package, which is plain JavaScript. */
const isBuilt = import.meta.filename.endsWith('.js');

/** The path in the package of a module that is loaded by its path. @param path of its source, without extension */
export const modulePath = (path: string): string => (isBuilt ? `dist/${path}.js` : `${path}.ts`);

function upToPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : upToPackage(dirname(folder));
}

/** How a shell runs the installed command. Without the option, whatever has this name would be downloaded. */
export const COMMAND = 'npx --no-install cts-conformance';

/** Name and version of the suite, which its reports contain; the package may be published under another name. */
export const suite = { name: 'cts-conformance', version: packageJson.version } as const;
