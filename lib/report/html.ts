import { html as template, raw } from 'hono/html';

/** Markup, which is not escaped again. */
export interface Html {
  readonly isEscaped: true;
  readonly toString: () => string;
}

/** What may be put into markup. Never a promise: with one, the template would return a promise too. */
export type Content = Html | string | number | boolean | undefined | readonly Content[];

/** A template of markup: strings are escaped; booleans and undefined add nothing. */
export const html = template as unknown as (
  parts: TemplateStringsArray,
  ...values: readonly Content[]
) => Html;

/** Text that is markup already. */
export const markup = (text: string): Html => raw(text);

/** The text of a page. What must not occur in HTML (section 13.2.3.5) is replaced: controls and noncharacters. */
export const pageText = (page: Html): string =>
  page
    .toString()
    .toWellFormed()
    .replace(/[^\t\n\u0020-\u007E\u00A0-\uD7FF\uE000-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
