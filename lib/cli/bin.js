#!/usr/bin/env node
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`cts: it needs Node.js 22.19 or later, and this is ${process.versions.node}\n`);
  process.exit(2);
}

// A checkout runs its TypeScript, as it stands; an installed package has none, and Node would not strip its types there.
const source = new URL('main.ts', import.meta.url);
await import(existsSync(source) ? source.href : new URL('../../dist/lib/cli/main.js', import.meta.url).href);
