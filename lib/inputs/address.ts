import fc from 'fast-check';

/**
 * An email address before it is made unique: a nonce of the request goes into the local part or in
 * front of the domain, so that no address is used twice, not even while shrinking.
 */
export interface Address {
  readonly before: string;
  readonly local: string;
  readonly labels: string;
  /** Under a reserved name (RFC 2606), and never shrunk away from it: no mail ever leaves. */
  readonly domain: string;
  readonly after: string;
  /** `none`: the text before and after is all there is, no address at all. */
  readonly nonceIn: 'local' | 'domain' | 'none';
}

/** The address as text. @param nonce lower-case letters and digits, at most 16 */
export function addressText(
  { before, local, labels, domain, after, nonceIn: where }: Address,
  nonce: string,
): string {
  if (where === 'none') return before + after;
  const unique = where === 'local' ? `${local}${nonce}@` : `${local}@${nonce}.`;
  return `${before}${unique}${labels}${domain}${after}`;
}

/** The plain tier: letters and digits at example.com. */
export const plainAddress: Address = {
  before: '',
  local: 'ada',
  labels: '',
  domain: 'example.com',
  after: '',
  nonceIn: 'local',
};

/** A text that is no address, sent as it stands. */
export const noAddress = (text: string): Address => ({
  ...plainAddress,
  before: text,
  local: '',
  domain: '',
  nonceIn: 'none',
});

/** An arbitrary for addresses; the parts that are not given are plain. */
export function addresses(parts: {
  before?: fc.Arbitrary<string>;
  local?: fc.Arbitrary<string>;
  labels?: fc.Arbitrary<string>;
  domain?: fc.Arbitrary<string>;
  after?: fc.Arbitrary<string>;
}): fc.Arbitrary<Address> {
  const text = (part: fc.Arbitrary<string> | undefined, plain: string): fc.Arbitrary<string> =>
    part ?? fc.constant(plain);
  return fc.record({
    before: text(parts.before, ''),
    local: text(parts.local, 'ada'),
    labels: text(parts.labels, ''),
    domain: parts.domain ?? fc.constant('example.com'),
    after: text(parts.after, ''),
    // A wide local part stays as it is, with the nonce in the domain.
    nonceIn: fc.constant(parts.local === undefined ? 'local' : 'domain'),
  });
}
