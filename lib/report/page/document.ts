import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, pageText } from './html.ts';
import type { Content, Html } from './html.ts';
import { raw } from 'hono/html';

const readText = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
/** A style sheet. @param name of a file in `style/` */
export const styleSheet = (name: string): string => readText(`style/${name}.css`);
const policySource = (text: string | undefined): string =>
  text === undefined ? "'none'" : `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The style of all pages, in cascading order. */
const style = ['colours', 'base', 'head', 'entries', 'charts', 'tables', 'media'].map(styleSheet).join('');

/**
 * A self-contained page: style and script are in it, it loads nothing, and its policy allows nothing else.
 * @param title of the window
 * @param script name of a file beside this one
 */
export function documentPage(title: string, body: Html, script?: string): string {
  const source = script === undefined ? undefined : readText(script);
  const policy = [
    "default-src 'none'",
    `style-src ${policySource(style)}`,
    `script-src ${policySource(source)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return pageText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${policy}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <meta name="color-scheme" content="light dark" />
          <title>${title}</title>
          ${raw(`<style>${style}</style>`)}
        </head>
        <body>
          ${body} ${source !== undefined && raw(`<script type="module">${source}</script>`)}
        </body>
      </html> `,
  );
}

interface TablePage {
  /** Title of the window. */
  readonly title: string;
  /** The line above the heading. */
  readonly kind: string;
  /** The heading, and links to the tables. */
  readonly head: Html;
  readonly body: Html;
}

/** A self-contained page of tables. */
export const tablePage = ({ title, kind, head, body }: TablePage): string =>
  documentPage(
    title,
    html`<header>
        <p class="kind">${kind}</p>
        ${head}
      </header>
      <main class="tables">${body}</main>`,
  );

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

/** Names and what they stand for, one below the other. */
export const definitionList = (rows: readonly (readonly [name: Content, value: Content] | false)[]): Html =>
  html`<dl class="pairs">
    ${rows.map(
      (row) =>
        row &&
        html`<dt>${row[0]}</dt>
          <dd>${row[1]}</dd> `,
    )}
  </dl>`;

/** An id, which may break after its dots. */
export const dotted = (id: string): Html =>
  html`<code>${id.split('.').map((part, at) => html`${at > 0 && html`.<wbr />`}${part}`)}</code>`;
