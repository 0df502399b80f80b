import { expect, it } from 'vitest';
import { readReply } from '../reply.ts';
import { createRedactor } from './redactor.ts';
import { responseText } from './response-text.ts';

const KEY = 'sk_test_1234567890';

function textOf(body: string, type = 'text/html'): string {
  const redactor = createRedactor();
  redactor.hide(KEY, 'key');
  return responseText({ reply: readReply(503, { 'content-type': type }, Buffer.from(body), 1e6) }, redactor);
}

it.each([
  [
    'its title and text',
    `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>Down for maintenance</title>
      <style>body > p { color: red }</style><script src="x">if (a < b) alert("<p>hidden</p>")</script></head>
      <body><h1>Down for maintenance</h1><p>Back at 10:00</p></body></html>`,
    'Down for maintenance Back at 10:00',
  ],
  ['its text without the key', `<html><p>${KEY} is unknown</p></html>`, '[key] is unknown'],
  [
    'itself if it has no text',
    '<html><script>load()</script></html>',
    '<html><script>load()</script></html>',
  ],
])('a page is shown by %s', (_, page, expected) => {
  expect(textOf(page)).toBe(`503 text/html: "${expected}"`);
});

it('other text is shown as it is', () => {
  expect(textOf('<error>no</error>', 'text/xml')).toBe('503 text/xml: "<error>no</error>"');
});
