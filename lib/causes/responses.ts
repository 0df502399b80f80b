import type { Cause } from './cause.ts';

/** Each response ends too early, or with what is not valid HTTP. */
export const INCOMPLETE: Cause = {
  id: 'incomplete',
  text: 'the response is incomplete',
  next: 'Send as many bytes as Content-Length announces (RFC 9110, section 8.6), or well-formed chunks up to the last one (RFC 9112, section 7.1).',
};

/** All failures are pages. */
export const PAGE: Cause = {
  id: 'page',
  text: 'a page is returned in place of JSON',
  next: 'A firewall or a gateway in front of the service may have answered: see its log, and let it exempt this client.',
};

/** Failures do not depend on what is sent. */
export const INTERMITTENT: Cause = {
  id: 'intermittent',
  text: 'some requests fail, and others like them do not',
  next: 'If several instances serve the target, compare their versions, keys and routes. Otherwise look for what requests share: a variable, a cache, a connection, a limit.',
};
