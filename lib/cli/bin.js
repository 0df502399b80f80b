#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A checkout runs its TypeScript, as it stands; an installed package has none, and Node would not strip its types there.
const source = new URL('main.ts', import.meta.url);
await import(existsSync(source) ? source.href : new URL('../../dist/lib/cli/main.js', import.meta.url).href);
