import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Html } from '../html.ts';

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** In the order in which they may overrule each other. */
const sheets = [
  'colours',
  'base',
  'verdicts',
  'head',
  'columns',
  'filters',
  'outline',
  'failure',
  'open',
  'pictures',
  'foot',
  'phone',
  'print',
];

const styleText = sheets.map((sheet) => textOf(`style/${sheet}.css`)).join('');
const scriptText = textOf('script.js');

/** The style of the page. Its very characters are hashed, so no template may lay them out. */
export const style: Html = { markup: `<style>${styleText}</style>` };

/** The script of the page, which can be read without it. */
export const script: Html = { markup: `<script type="module">${scriptText}</script>` };

/** Allows the page its own style and script, by their hashes, and nothing else from anywhere. */
export const policy = [
  "default-src 'none'",
  `style-src ${hashOf(styleText)}`,
  `script-src ${hashOf(scriptText)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
