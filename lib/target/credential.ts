import type { Redactor } from './output/redactor.ts';

/**
 * How a request authenticates. The value is a secret, or similar to one; `label` and `shell` stand for it in evidence and
 * in curl lines.
 */
export interface Credential {
  /** Field name, as sent. */
  readonly field: string;
  /** Field value, as sent. */
  readonly value: string;
  /** A description of the value, such as `Bearer [key without its last character]`. */
  readonly label: string;
  /** The value as a double-quoted shell word over `$TARGET_API_KEY`. */
  readonly shell: string;
}

/**
 * The credential that section 5 of the interface states: the static key in the Bearer scheme.
 * @param scheme its name, in any case (RFC 9110, section 11.1)
 */
export const bearer = (key: string, scheme = 'Bearer'): Credential => ({
  field: 'Authorization',
  value: `${scheme} ${key}`,
  label: `${scheme} [key]`,
  shell: `"${scheme} $TARGET_API_KEY"`,
});

/**
 * The credential that a caller of the library gives. It may be similar to the key, so it appears in no output.
 * @param authorization the field value; undefined: the key; null: no such header
 */
export function credentialGiven(
  authorization: string | null | undefined,
  key: Credential,
  redactor: Redactor,
): Credential | undefined {
  if (authorization === undefined) return key;
  if (authorization === null) return undefined;
  redactor.hide(secretOf(authorization), 'given credential');
  return {
    field: 'Authorization',
    value: authorization,
    label: '[given credential]',
    shell: '"$GIVEN_CREDENTIAL"',
  };
}

/** The secret in a field value: what follows the scheme; '' if it is short, as short texts occur by chance. */
const secretOf = (authorization: string): string => {
  const text = authorization.split(' ').at(-1)!;
  return text.length < 12 ? '' : text;
};
