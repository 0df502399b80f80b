import { createHash } from 'node:crypto';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { parse } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { SaxesParser } from 'saxes';

/** Text with an effect on terminals, logs and markup; each part contains a word by which tests find it. */
export const hostileText = [
  '\u001B[2J\u001B]0;title\u0007\u001B]8;;https://evil.example\u0007\u009B31mescaped',
  'returned\r::error::carriage',
  '\n::error title=spoofed::line\n::stop-commands::x\n##[error]hash\n##vso[task.complete]vso ##teamcity[a]\n',
  '\u202Eoverride\u2066isolate\u200Binvisible\u00AD\uFEFF line\u2028separator\u2029',
  ']]>closed<![CDATA[ ]]></system-out></testcase></testsuite>',
  '\u0000\u0001\u0008\u000B\u007F\uFFFE\uFFFFforbidden',
  '</failure><script>alert(1)</script><img src=x onerror=alert(2)>&amp;&#x1b;[2Jmarkup <!-- --!>',
  '" onmouseover="alert(3)" \' autofocus onfocus=\'alert(4)',
  '[link](https://evil.example/a) ![image](https://evil.example/b.png) <https://evil.example/c>',
  'https://evil.example/d www.evil.example mail@evil.example @octocat #1 GH-2 octo/cat#3',
  '\n```\n~~~\n# heading\n| a | b |\n|---|---|\n\\`\\|fences`` ` ',
  '=cmd|"/c calc"!A1 @SUM(1) $(touch pwned) `touch pwned` ; touch pwned %s %n ${7*7} {{7*7}}',
].join(' ');

/** Characters that control a terminal, are invisible, or change directions; line feeds are allowed. */
const ACTIVE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Commands that CI systems read from a log: GitHub at the start of a line, others anywhere. */
const COMMAND = /^\s*::|##\[|##vso\[|##teamcity\[/m;

/** What in a printed text has an effect beyond its display; empty if nothing. */
export const flawsOfScreen = (text: string): string[] => [
  ...flawsOfCharacters(text),
  ...(COMMAND.test(text) ? [`a command: ${JSON.stringify(COMMAND.exec(text)![0])}`] : []),
];

/** The same for a file, by its extension. An unknown extension is a flaw, because it needs a check. */
export function flawsOfFile(name: string, text: string): string[] {
  const check = kinds[name.split('.').at(-1)!];
  return (check?.(text) ?? ['no check for this kind of file']).map((flaw) => `${name}: ${flaw}`);
}

/** Why a text is not well-formed XML 1.0, or has an effect. */
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

/** Why a text is not JSON, or has an effect when printed. */
export function flawsOfJson(text: string): string[] {
  try {
    JSON.parse(text);
    return flawsOfCharacters(text);
  } catch (error) {
    return [(error as Error).message];
  }
}

/** What in a page could act: scripts, handlers, frames, and external addresses. */
export function flawsOfHtml(text: string): string[] {
  const flaws = flawsOfCharacters(text);
  // The suite's own script is named by the policy of the page.
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
      if (
        name.startsWith('on') ||
        name === 'style' ||
        (/^(?:src|href|action)$/.test(name) && !/^(?:#|evidence\.ndjson$)/.test(value))
      )
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

/** What in Markdown, as GitHub renders it, is more than formatted text. */
function flawsOfMarkdown(text: string): string[] {
  const page = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  return [...flawsOfHtml(page), ...(page.includes('<a ') ? ['a link'] : [])];
}

const flawsOfCharacters = (text: string): string[] =>
  [...new Set(text.match(ACTIVE))].map((character) => `U+${character.codePointAt(0)!.toString(16)}`);
