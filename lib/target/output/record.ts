import type { RecordedExchange } from '../../schemas/exchange.ts';
import { labelled, valueOf } from '../../settings/headers.ts';
import { bodyText } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import { absoluteForm, framingFields, ownFields } from '../connections/as-sent.ts';
import { withoutHeaderSecrets } from './header-secrets.ts';
import type { Redactor } from './redactor.ts';
import { TEXT_LIMIT } from '../reply.ts';

/** Maximum number of characters of a body that are kept. */
const KEPT_CHARACTERS = 32_768;
/** Characters at the end of a truncated text that are dropped after redaction: they may be a part of a secret. */
const MARGIN = TEXT_LIMIT - KEPT_CHARACTERS;

/** Redacts an exchange and cuts long bodies. */
export function record(exchange: Exchange, redactor: Redactor): RecordedExchange {
  const { request, route, reply } = exchange;
  const { credential } = request;
  const recorded = redactAll(
    {
      number: exchange.number,
      queue: exchange.queue,
      request: {
        method: request.method,
        url: exchange.url,
        ...(request.absolute !== undefined && {
          requestTarget: absoluteForm(exchange.url, request.absolute),
        }),
        headers: [
          ...(credential ? [[credential.field, credential.label] as const] : []),
          ...ownFields(request.fields, route),
          ...framingFields(request, route),
          ...route.headers.map((header) => [header.name, valueOf(labelled(header))] as const),
        ],
        body: bodyText(request),
      },
      response: {
        status: reply.status,
        headers: reply.fields,
        body: reply.text,
      },
      troubles: exchange.troubles,
      startedAt: Math.round(exchange.startedAt),
      firstByte: Math.round(exchange.firstByte),
      duration: Math.round(exchange.duration),
      inFlight: exchange.inFlight,
    },
    redactor,
  );
  // Cut after redaction, which does not find a part of a secret.
  const { headers, body } = recorded.response;
  const isTruncated = reply.text.length >= TEXT_LIMIT && !redactor.cuts(reply.text);
  return {
    ...recorded,
    request: { ...recorded.request, body: cut(recorded.request.body) },
    response: {
      ...recorded.response,
      // After redaction, whose labels distinguish tokens.
      headers: withoutHeaderSecrets(headers),
      body: isTruncated ? `${body.slice(0, -MARGIN).slice(0, KEPT_CHARACTERS)}…` : cut(body),
    },
  };
}

/** Redacts every string in JSON data, the names of members included. A number that is a secret becomes a string. */
export function redactAll<T>(data: T, redactor: Redactor): T {
  const walk = (node: unknown): unknown => {
    if (typeof node === 'string') return redactor.redact(node);
    if (typeof node === 'number') {
      const text = redactor.redact(String(node));
      return text === String(node) ? node : text;
    }
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => [redactor.redact(name), walk(value)]),
    );
  };
  return walk(data) as T;
}

const cut = (text: string): string =>
  text.length <= KEPT_CHARACTERS
    ? text
    : `${text.slice(0, KEPT_CHARACTERS)}… (${text.length} characters in all)`;
