import { createRequire, registerHooks, syncBuiltinESMExports } from 'node:module';
import type { Sabotage } from './sabotaged.ts';

const { sources = [], write } = JSON.parse(process.env['CTS_SABOTAGE'] ?? '{}') as Sabotage;
const files = createRequire(import.meta.url)('node:fs/promises') as Record<
  'readFile' | 'writeFile',
  (path: unknown, ...rest: unknown[]) => Promise<unknown>
>;
const { readFile, writeFile } = files;

const isBroken = (name: string): boolean => sources.some(({ file }) => name.endsWith(file));

const broken = (name: string, text: string): string =>
  sources
    .filter(({ file }) => name.endsWith(file))
    .reduce((left, { file, find, put }) => {
      if (!left.includes(find)) throw new Error(`nothing to sabotage in ${file}`);
      return left.replace(find, () => put);
    }, text);

// The main thread loads with Node; the thread of the suites is given its sources by Vite, which reads them.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!isBroken(url)) return loaded;
    return { ...loaded, source: broken(url, Buffer.from(loaded.source as Uint8Array).toString()) };
  },
});
files.readFile = async (path, ...rest) => {
  const text = await readFile(path, ...rest);
  return typeof text === 'string' && isBroken(String(path)) ? broken(String(path), text) : text;
};

if (write) {
  files.writeFile = async (path, ...rest) => {
    if (!String(path).includes(write.file)) return writeFile(path, ...rest);
    throw Object.assign(new Error(`${write.code}, write`), { code: write.code });
  };
}

syncBuiltinESMExports();
