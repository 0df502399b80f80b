import type { Behaviour } from '../behaviour.ts';
import { inBlocks } from './bytes.ts';
import { faultsOf } from '../fault-or-variant.ts';

interface Body {
  name?: unknown;
  email?: unknown;
}

/** Changes the text before it is parsed. */
const rewriting = (change: (text: string) => string) => (): Behaviour => ({
  parse: (text) => JSON.parse(change(text)),
});

/** Rejects a valid notation as malformed JSON. */
const rejecting = (pattern: RegExp, operation?: 'token') => (): Behaviour => ({
  parse(text, call) {
    if ((operation === undefined || call.operation === operation) && pattern.test(text)) {
      throw new SyntaxError('unreadable');
    }
    return JSON.parse(text);
  },
});

/** Changes the parsed body, depending on how it was written. */
const changing = (change: (body: Body, text: string) => Body) => (): Behaviour => ({
  parse: (text, { operation }) =>
    operation === 'customer' ? change(JSON.parse(text) as Body, text) : JSON.parse(text),
});

const HIGH = String.raw`\\ud[89ab][0-9a-f]{2}`;
const LOW = String.raw`\\ud[c-f][0-9a-f]{2}`;

export const encodings = [
  ...faultsOf('4.1: the same JSON object in another encoding has the same outcome', [
    'customer.encoding.irrelevant',
    'customer.name.echoed',
    'customer.email.echoed',
  ])({
    'encoding-members-by-position': changing((body) => {
      const [name, email] = Object.values(body);
      return 'name' in body ? { ...body, name, email } : body;
    }),
    'encoding-email-first-rejected': rejecting(/^\s*\{\s*"email"/),
    'encoding-leading-space-rejected': rejecting(/^[^{]/),
    'encoding-trailing-newline-rejected': rejecting(/[^}]$/),
    'encoding-newlines-rejected': rejecting(/[\r\n]/),
    'encoding-tabs-rejected': rejecting(/\t/),
    'encoding-carriage-return-rejected': rejecting(/\r/),
    'encoding-space-before-colon-loses-member': changing((body, text) =>
      /"name"\s+:/.test(text) ? { ...body, name: '' } : body,
    ),
    'encoding-white-space-stripped-everywhere': rewriting((text) =>
      text.includes('\n') ? text.replace(/\s+/g, '') : text,
    ),
    'encoding-u-escape-kept': rewriting((text) => text.replaceAll('\\u', '\\\\u')),
    'encoding-u-escape-question-mark': rewriting((text) => text.replace(/\\u[0-9a-f]{4}/gi, '?')),
    'encoding-u-escape-rejected': rejecting(/\\u/),
    'encoding-u-escape-latin1-byte': rewriting((text) => text.replace(/\\u00[89a-f][0-9a-f]/gi, '\ufffd')),
    'encoding-u-escape-low-byte-only': rewriting((text) =>
      text.replace(/\\u[0-9a-f]{2}([0-9a-f]{2})/gi, '\\u00$1'),
    ),
    'encoding-u-escape-upper-hex-misread': rewriting((text) =>
      text.replace(/\\u(?=[0-9A-F]{0,3}[A-F])[0-9A-F]{4}/g, '\\ufffd'),
    ),
    'encoding-u-escape-lower-hex-misread': rewriting((text) =>
      text.replace(/\\u(?=[0-9a-f]{0,3}[a-f])[0-9a-f]{4}/g, '\\ufffd'),
    ),
    'encoding-u-escape-in-member-name-lost': changing(({ name, ...body }, text) =>
      /"(?:[^"\\]|\\.)*\\u(?:[^"\\]|\\.)*"\s*:/.test(text) ? body : { name, ...body },
    ),
    'encoding-u-escape-in-email-kept': changing((body, text) => {
      const email = /"email"\s*:\s*"([^"]*\\u[^"]*)"/.exec(text)?.[1];
      return email === undefined ? body : { ...body, email };
    }),
    'encoding-surrogate-pair-two-replacements': rewriting((text) =>
      text.replace(new RegExp(HIGH + LOW, 'gi'), '\ufffd\ufffd'),
    ),
    'encoding-surrogate-pair-rejected': rejecting(new RegExp(HIGH, 'i')),
    'encoding-surrogate-pair-high-dropped': rewriting((text) =>
      text.replace(new RegExp(`${HIGH}(${LOW})`, 'gi'), '$1'),
    ),
    'encoding-surrogate-pair-kept': rewriting((text) =>
      text.replace(new RegExp(HIGH + LOW, 'gi'), (pair) => pair.replaceAll('\\', '\\\\')),
    ),
    'encoding-escaped-slash-kept': rewriting((text) => text.replaceAll('\\/', '\\\\/')),
    'encoding-escaped-quote-cuts': changing((body, text) =>
      typeof body.name === 'string' && text.includes('\\"')
        ? { ...body, name: body.name.split('"')[0] }
        : body,
    ),
    'encoding-escaped-newline-kept': rewriting((text) => text.replace(/(?<!\\)\\n/g, '\\\\n')),
    'encoding-b-and-f-escapes-lost': rewriting((text) => text.replace(/(?<!\\)\\[bf]/g, '')),
    'encoding-body-read-as-latin1': () => ({ decode: (bytes) => Buffer.from(bytes).toString('latin1') }),
    'encoding-body-split-at-1024-bytes': inBlocks(1024),
    'encoding-body-split-at-256-bytes': inBlocks(256),
    'encoding-content-length-in-characters': () => ({
      decode: (bytes, { text }) => Buffer.from(bytes).subarray(0, text.length).toString(),
    }),
    'encoding-name-found-by-pattern': changing((body, text) => {
      const name = /"name"\s*:\s*"([^"]*)"/.exec(text)?.[1];
      return name === undefined ? body : { ...body, name };
    }),
  }),
  ...faultsOf('4.2: the same JSON object in another encoding has the same outcome', [
    'token.encoding.irrelevant',
  ])({
    'encoding-token-key-order-rejected': rejecting(/^\s*\{\s*"expires_in"/, 'token'),
    'encoding-token-white-space-rejected': rejecting(/[\n\t]/, 'token'),
    'encoding-token-u-escape-rejected': rejecting(/\\u/, 'token'),
  }),
];
