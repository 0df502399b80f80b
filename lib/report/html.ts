/** Markup that may stand in a page as it is. */
export interface Html {
  readonly markup: string;
}

type Content = Html | string | number | undefined | false | readonly Content[];

/** Markup from a template: what is put into it is text, unless it is markup already. */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Html => ({
  markup: String.raw({ raw: parts }, ...values.map(markupOf)),
});

function markupOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (typeof content === 'string' || typeof content === 'number') return escapeHtml(String(content));
  return 'markup' in content ? content.markup : content.map(markupOf).join('');
}

/**
 * Text for HTML, within elements and within quoted attributes; what may not stand there (the controls
 * and noncharacters of the HTML standard, section 13.2.3.5) is replaced.
 */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\u0020-\u007E\u00A0-\uD7FF\uE000-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
