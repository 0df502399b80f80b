import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, markup, pageText } from '../html.ts';
import type { Content, Html } from '../html.ts';

/** A style sheet and a script in the page itself, which loads nothing, and the policy that allows only these. */
interface Inlined {
  readonly style: Html;
  readonly script: Html;
  /** A `Content-Security-Policy` with the hashes of the style and the script. */
  readonly policy: string;
}

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
/** A style sheet. @param name of a file in `style/` */
export const sheet = (name: string): string => textOf(`style/${name}.css`);
const sourceOf = (text: string | undefined): string =>
  text === undefined ? "'none'" : `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * @param sheets names of files in `style/`, in cascading order
 * @param scriptName a file beside this one; none for a page without a script
 */
export function inlined(sheets: readonly string[], scriptName?: string): Inlined {
  const style = sheets.map(sheet).join('');
  const script = scriptName === undefined ? undefined : textOf(scriptName);
  return {
    style: markup(`<style>${style}</style>`),
    script: markup(script === undefined ? '' : `<script type="module">${script}</script>`),
    policy: [
      "default-src 'none'",
      `style-src ${sourceOf(style)}`,
      `script-src ${sourceOf(script)}`,
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
  };
}

/**
 * A self-contained page.
 * @param title of the window
 */
export const documentPage = (title: string, { style, script, policy }: Inlined, body: Html): string =>
  pageText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${policy}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <meta name="color-scheme" content="light dark" />
          <title>${title}</title>
          ${style}
        </head>
        <body>
          ${body} ${script}
        </body>
      </html> `,
  );

/** The contents of a page of tables. */
interface TablePage {
  /** Title of the window. */
  readonly title: string;
  /** The line above the heading. */
  readonly kind: string;
  /** The heading, and links to the tables. */
  readonly head: Html;
  readonly body: Html;
}

const tables = inlined(['colours', 'base', 'tables']);

/** A self-contained page of tables. */
export const tablePage = ({ title, kind, head, body }: TablePage): string =>
  documentPage(
    title,
    tables,
    html`<header>
        <p class="kind">${kind}</p>
        ${head}
      </header>
      <main>${body}</main>`,
  );

/** A relative path as a URL. */
export const urlOf = (path: string): string => path.split(/[\\/]/).map(encodeURIComponent).join('/');

/**
 * A table that scrolls sideways if the page is too narrow.
 * @param heads cells of its head; a text becomes one
 * @param bodies its `tbody` elements
 */
export const table = (caption: string, heads: readonly (string | Html)[], bodies: Content): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => (typeof head === 'string' ? html`<th scope="col">${head}</th>` : head))}
        </tr>
      </thead>
      ${bodies}
    </table>
  </div>`;

/** An id, which may break after its dots. */
export const dotted = (id: string): Html =>
  html`<code>${id.split('.').map((part, at) => html`${at > 0 && html`.<wbr />`}${part}`)}</code>`;
