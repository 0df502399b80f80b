import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Html } from '../html.ts';

/** What stands in a page itself, since it loads nothing, and the policy that allows just that. */
export interface Inlined {
  /** Their very characters are hashed, so no template may lay them out. */
  readonly style: Html;
  readonly script: Html;
  /** For a `Content-Security-Policy`: this style and this script, by their hashes, and nothing else from anywhere. */
  readonly policy: string;
}

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const sourceOf = (text: string | undefined): string =>
  text === undefined ? "'none'" : `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * @param sheets names of files in `style/`, in the order in which they may overrule each other
 * @param scriptName a module beside this one; none for a page that is only read
 */
export function inlined(sheets: readonly string[], scriptName?: string): Inlined {
  const style = sheets.map((sheet) => textOf(`style/${sheet}.css`)).join('');
  const script = scriptName === undefined ? undefined : textOf(scriptName);
  return {
    style: { markup: `<style>${style}</style>` },
    script: { markup: script === undefined ? '' : `<script type="module">${script}</script>` },
    policy: [
      "default-src 'none'",
      `style-src ${sourceOf(style)}`,
      `script-src ${sourceOf(script)}`,
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
  };
}
