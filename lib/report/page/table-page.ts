import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { inlined } from './inline.ts';

/** What differs from one page of tables to the next. */
export interface TablePage {
  /** Of the window. */
  readonly title: string;
  /** The line above the heading. */
  readonly kind: string;
  /** What follows that line: the heading and what leads to the tables. */
  readonly head: Html;
  readonly body: Html;
}

const { style, policy } = inlined(['colours', 'base', 'tables']);

/** A page of tables that needs nothing but itself. */
export const tablePage = ({ title, kind, head, body }: TablePage): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <header>
          <p class="kind">${kind}</p>
          ${head}
        </header>
        <main>${body}</main>
      </body>
    </html> `.markup;

/**
 * A table that scrolls by itself where the page is narrower.
 * @param heads cells of its head; a text becomes one
 * @param bodies its `tbody` elements
 */
export const table = (
  caption: string,
  heads: readonly (string | Html)[],
  bodies: Html | readonly Html[],
): Html =>
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

/** An id, which breaks after its dots. */
export const dotted = (id: string): Html =>
  html`<code>${id.split('.').map((part, at) => html`${at > 0 && html`.<wbr />`}${part}`)}</code>`;
