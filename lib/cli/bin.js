#!/usr/bin/env node
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`cts-conformance needs Node.js 22.19 or later; this is ${process.versions.node}\n`);
  process.exit(2);
}

// A checkout runs its TypeScript. An installed package has only JavaScript: Node strips no types in node_modules.
const source = new URL('main.ts', import.meta.url);
await import(existsSync(source) ? source.href : new URL('../../dist/lib/cli/main.js', import.meta.url).href);
