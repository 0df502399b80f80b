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
