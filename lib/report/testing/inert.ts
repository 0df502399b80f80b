import { createHash } from 'node:crypto';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { parse } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { SaxesParser } from 'saxes';

/** What a terminal obeys, an eye misses, or a reader is led astray by: controls but line feeds, and directions. */
const ACTIVE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Commands that CI systems take from a log: of GitHub at the beginning of a line, all others anywhere in it. */
const COMMAND = /^\s*::|##\[|##vso\[|##teamcity\[/m;

/** What in a printed text is more than text to whoever shows it; empty: nothing. */
export const flawsOfScreen = (text: string): string[] => [
  ...flawsOfCharacters(text),
  ...(COMMAND.test(text) ? [`a command: ${JSON.stringify(COMMAND.exec(text)![0])}`] : []),
];

/** The same for a file, by the kind that its name tells. A kind that is not known is a flaw: it needs a check. */
export function flawsOfFile(name: string, text: string): string[] {
  const check = kinds[name.split('.').at(-1)!];
  return (check?.(text) ?? ['no check for this kind of file']).map((flaw) => `${name}: ${flaw}`);
}

/** Why a text is not well-formed XML 1.0, or holds more than text. */
export function flawsOfXml(text: string): string[] {
  const flaws = flawsOfCharacters(text);
  const parser = new SaxesParser();
  parser.on('error', ({ message }) => void flaws.push(message));
  parser.on('doctype', () => void flaws.push('a doctype'));
  parser.on('text', (value) => void flaws.push(...flawsOfCharacters(value)));
  parser.on(
    'opentag',
    ({ attributes }) => void flaws.push(...Object.values(attributes).flatMap(flawsOfCharacters)),
  );
  parser.write(text).close();
  return flaws;
}

/** Why a text is not JSON, or not inert as it stands. */
export function flawsOfJson(text: string): string[] {
  try {
    JSON.parse(text);
    return flawsOfCharacters(text);
  } catch (error) {
    return [(error as Error).message];
  }
}

/** What in a page could act: scripts, handlers, frames, and addresses of others. */
export function flawsOfHtml(text: string): string[] {
  const flaws = flawsOfCharacters(text);
  // A script of our own is one that the policy of the page names.
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? '';
  const isOurs = (node: DefaultTreeAdapterTypes.Element): boolean => {
    const source = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
    return (
      node.attrs.every(({ name }) => name === 'type') &&
      policy.includes(`sha256-${createHash('sha256').update(source).digest('base64')}`)
    );
  };
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node && ACTING.has(node.tagName) && !isOurs(node))
      flaws.push(`an element ${node.tagName}`);
    for (const { name, value } of 'attrs' in node ? node.attrs : []) {
      if (name.startsWith('on') || (/^(?:src|href|action)$/.test(name) && !value.startsWith('#')))
        flaws.push(`an attribute ${name}`);
    }
    for (const child of 'childNodes' in node ? node.childNodes : []) walk(child);
  };
  walk(parse(text));
  return flaws;
}

const ACTING = new Set(['script', 'iframe', 'object', 'embed', 'form', 'base', 'link', 'img']);

const kinds: Readonly<Record<string, (text: string) => string[]>> = {
  json: flawsOfJson,
  xml: flawsOfXml,
  html: flawsOfHtml,
  har: flawsOfJson,
  ndjson: (text) => text.split('\n').filter(Boolean).flatMap(flawsOfJson),
  md: flawsOfMarkdown,
};

/** What in Markdown, as GitHub shows it, is more than text and its form. */
function flawsOfMarkdown(text: string): string[] {
  const page = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  return [...flawsOfHtml(page), ...(page.includes('<a ') ? ['a link'] : [])];
}

const flawsOfCharacters = (text: string): string[] =>
  [...new Set(text.match(ACTIVE))].map((character) => `U+${character.codePointAt(0)!.toString(16)}`);
