#!/usr/bin/env node
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`cts-conformance needs Node.js 22.19 or later; this is ${process.versions.node}\n`);
  process.exit(2);
}

// Most of the time to start is compiling: compiled code, and TypeScript without its types, is cached in the folder for
// temporary files. The variable passes the folder on to threads and child processes. Only what is imported afterwards
// is cached, so this file is JavaScript.
const { directory } = nodeModule.enableCompileCache();
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory;

// A checkout runs its TypeScript. An installed package has only JavaScript: Node strips no types in node_modules.
const source = new URL('main.ts', import.meta.url);
const built = new URL('../../dist/lib/cli/main.js', import.meta.url);
if (!existsSync(source) && !existsSync(built)) {
  process.stderr.write(
    'cts-conformance was installed without its build, as from git; install the tarball that npm pack makes of a checkout\n',
  );
  process.exit(2);
}
await import(existsSync(source) ? source.href : built.href);
