/**
 * An email address before it is made unique: the nonce of a request goes into the local part or in front of the domain,
 * so that no address is sent twice, not even while shrinking.
 */
export interface Address {
  readonly before: string;
  readonly local: string;
  readonly labels: string;
  /** Under a reserved name (RFC 2606), and never shrunk away from it: no mail ever leaves. */
  readonly domain: string;
  readonly after: string;
  /** `none`: the text is not an address, only `before` and `after`. */
  readonly nonceIn: 'local' | 'domain' | 'none';
  /** Length in characters, to which the part with the nonce is filled. */
  readonly total?: number;
}

/** The address as text. @param nonce lower-case letters and digits, at most 16 */
export function addressText(
  { before, local, labels, domain, after, nonceIn, total = 0 }: Address,
  nonce: string,
): string {
  if (nonceIn === 'none') return before + after;
  const unique = nonceIn === 'local' ? `${local}${nonce}` : `${local}@${nonce}`;
  const rest = `${nonceIn === 'local' ? '@' : '.'}${labels}${domain}${after}`;
  return `${before}${unique}${filler(total - `${before}${unique}${rest}`.length, nonceIn)}${rest}`;
}

/** Letters that continue a local part; in a domain also dots, as no label of a domain is longer than 63. */
const filler = (length: number, nonceIn: 'local' | 'domain'): string =>
  Array.from({ length: Math.max(0, length) }, (_, at) =>
    nonceIn === 'domain' && at % 48 === 46 && at < length - 1 ? '.' : 'a',
  ).join('');

/** Plain: letters and digits at example.com. */
export const plainAddress: Address = {
  before: '',
  local: 'ada',
  labels: '',
  domain: 'example.com',
  after: '',
  nonceIn: 'local',
};

/** Local parts of plain addresses, one for each first letter, as some services have rules or shards by letter. */
// oxfmt-ignore
const plainLocals = [
  'ada', 'ben', 'cleo', 'dora', 'emil', 'finn', 'gwen', 'hugo', 'iris', 'jack', 'kim', 'leo', 'mia', 'noah', 'olga', 'paul', 'quinn',
  'rosa', 'sam', 'tim', 'uma', 'vera', 'will', 'xena', 'yves', 'zoe',
];

/** Plain addresses, one for each first letter. */
export const plainAddresses: readonly Address[] = plainLocals.map((local) => ({ ...plainAddress, local }));

export const isPlainAddress = ({ local, ...rest }: Address): boolean =>
  plainLocals.includes(local) &&
  JSON.stringify({ ...plainAddress, ...rest }) === JSON.stringify(plainAddress);

/** A text that is not an address, sent unchanged. */
export const noAddress = (text: string): Address => ({
  ...plainAddress,
  before: text,
  local: '',
  domain: '',
  nonceIn: 'none',
});
