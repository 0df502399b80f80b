/** A secret in a header of a response. */
interface HeaderSecret {
  /** The name of the header, in lower case. */
  readonly header: string;
  /** The name of the header, or of the cookie in it. */
  readonly name: string;
  readonly text: string;
  /** Whether it is a token by its place, as opposed to any cookie. */
  readonly isToken: boolean;
}

/** Headers whose value is a secret: `X-Auth-Token`, `Authorization`, `X-Session-Id`, but not those of CORS. */
const SECRET =
  /^(?!access-control-|www-authenticate$|proxy-authenticate$|authentication-|sec-)(?:.*-)?(?:authorization|auth|access|tokens?|jwt|secret|session|credentials?|bearer|api-?key|password)(?:-(?:token|key|id|value|secret))?$/;
const TOKEN_NAME = /token|jwt|secret|credential|bearer|auth|access|ticket|session|key/i;
/** One cookie of Set-Cookie (RFC 6265, section 4.1.1), several of which are joined by commas. */
const COOKIE = /(?:^|,)\s*([^\s=;,]{1,200})=("?)([^;,"]*)/g;
/** A parameter of a URL, in Location for example. */
const PARAMETER = /[?&#;]([\w-]{1,100})=([^&#;\s"'<>,]+)/g;
/** A JWT (RFC 7519) anywhere: its first part is the Base64 of a JSON object, bounded for linear time. */
const JWT = /\beyJ[\w-]{5,1000}\.[\w-]{5,}\.[\w-]*/g;

/** A parameter of Authentication-Info (RFC 7615, section 3), such as a nonce, or the next token. */
const AUTHENTICATION_PARAMETER = /([\w-]{1,100})=("?)([^",\s]+)/g;

/** Shorter texts are not secrets, and neither are numbers, such as a lifetime. */
const isSecret = (text: string): boolean => text.length >= 6 && !/^\d+$/.test(text);

/** The secrets in the headers of a response: any of them may deliver a token, and a cookie is one for its browser. */
export function secretsInHeaders(headers: Readonly<Record<string, string>>): HeaderSecret[] {
  const found: HeaderSecret[] = [];
  for (const [header, value] of Object.entries(headers)) {
    const add = (text: string, isToken: boolean, name = header): void => {
      if (isSecret(text)) found.push({ header, name, text, isToken });
    };
    if (header === 'set-cookie') {
      for (const [, cookie, , text] of value.matchAll(COOKIE)) add(text!, TOKEN_NAME.test(cookie!), cookie);
      continue;
    }
    if (SECRET.test(header)) {
      const credentials = value.replace(/^(?:Bearer|Basic|Token)\s+/i, '');
      for (const text of credentials.split(/[\s,;]+/)) add(text, true);
    }
    if (header === 'authentication-info')
      for (const [, parameter, , text] of value.matchAll(AUTHENTICATION_PARAMETER))
        add(text!, TOKEN_NAME.test(parameter!), parameter);
    for (const [text] of value.matchAll(JWT)) add(text, true);
    for (const [, parameter, text] of value.matchAll(PARAMETER))
      if (SECRET.test(parameter!.toLowerCase().replaceAll('_', '-'))) add(text!, true);
  }
  // The longer first, of which another may be a part.
  return found.toSorted((one, other) => other.text.length - one.text.length);
}

/** How the redactor labels a token. */
const LABEL = /\[(?:possible )?token \d+\]/g;

/** Replaces the secrets of a response in its headers, but not the labels of those that the redactor has replaced. */
export function withoutHeaderSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = { ...headers };
  for (const { header, text } of secretsInHeaders(headers)) {
    const labels = headers[header]!.match(LABEL) ?? [];
    if (labels.some((label) => label.includes(text))) continue;
    shown[header] = shown[header]!.replaceAll(text, () => '[redacted]');
  }
  return shown;
}
