/**
 * What a request carries to authenticate. The value is secret or nearly so; `label` and `shell` say
 * the same without it, for evidence and for a curl line.
 */
export interface Credential {
  /** Field name as it is sent. */
  readonly field: string;
  /** Field value as it is sent. */
  readonly value: string;
  /** The value in words, such as `Bearer [key without its last character]`. */
  readonly label: string;
  /** The value as a double-quoted shell word over `$TARGET_API_KEY`. */
  readonly shell: string;
}

/** The credential that section 5 of the interface states: the static key in the Bearer scheme. */
export const bearer = (key: string): Credential => ({
  field: 'Authorization',
  value: `Bearer ${key}`,
  label: 'Bearer [key]',
  shell: '"Bearer $TARGET_API_KEY"',
});

/** A token that the target has issued, in the same scheme: the interface leaves open whether that is how. */
export const issuedBearer = (token: string): Credential => ({
  ...bearer(token),
  label: 'Bearer [issued token]',
  shell: '"Bearer $ISSUED_TOKEN"',
});

/** A credential that the caller has made: nearly the key, perhaps, so its value is shown nowhere. */
export const givenCredential = (value: string): Credential => ({
  field: 'Authorization',
  value,
  label: '[given credential]',
  shell: '"$GIVEN_CREDENTIAL"',
});

/** What is secret in a field value: what follows the scheme. A short text is not: it may stand anywhere. */
export const secretOf = (authorization: string): string => {
  const text = authorization.split(' ').at(-1)!;
  return text.length < 12 ? '' : text;
};
