import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { fileWith } from './files.ts';

/** A certificate with its key, made for a test. */
interface Certificate {
  readonly name: string;
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  readonly privateKey: KeyObject;
}

interface Wanted {
  /** The authority that signs it; default: it signs itself. */
  readonly by?: Certificate;
  readonly isAuthority?: boolean;
  /** Host names that it is for. */
  readonly hosts?: readonly string[];
  /** Addresses (IPv4) that it is for. */
  readonly addresses?: readonly string[];
  /** Days until it expires; negative: days since. */
  readonly days?: number;
}

const DAY = 86_400_000;

/** Makes an X.509 certificate (RFC 5280), as Node has no function for it. */
export function certificate(name: string, wanted: Wanted = {}): Certificate {
  const { by, isAuthority = false, hosts = [], addresses = [], days = 30 } = wanted;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
  const alternatives = [
    ...hosts.map((host) => tagged(0x82, Buffer.from(host))),
    ...addresses.map((address) => tagged(0x87, Buffer.from(address.split('.').map(Number)))),
  ];
  const extensions = [
    extension(oid(2, 5, 29, 19), sequence(...(isAuthority ? [TRUE] : []))),
    ...(alternatives.length > 0 ? [extension(oid(2, 5, 29, 17), sequence(...alternatives))] : []),
  ];
  const now = Date.now();
  const toBeSigned = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    nameOf(by?.name ?? name),
    sequence(time(now - 100 * DAY), time(now + days * DAY)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', toBeSigned, by?.privateKey ?? privateKey);
  const der = sequence(toBeSigned, algorithm, tagged(0x03, Buffer.of(0), signature));
  const base64 = der
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return {
    name,
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    privateKey,
  };
}

/** An authority, the file of its certificate, and what a server on loopback needs to serve TLS. */
export function testAuthority(): {
  readonly authority: Certificate;
  readonly ca: string;
  readonly identity: Pick<Certificate, 'cert' | 'key'>;
} {
  const authority = certificate('Test CA', { isAuthority: true });
  const hosts = ['localhost', 'a.example'];
  const { cert, key } = certificate('loopback', { by: authority, addresses: ['127.0.0.1'], hosts });
  return { authority, ca: fileWith(authority.cert), identity: { cert, key } };
}

// DER (X.690)

function tagged(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), body]);
}

const sequence = (...content: readonly Buffer[]): Buffer => tagged(0x30, ...content);
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const TRUE = tagged(0x01, Buffer.of(255));

function oid(first: number, second: number, ...others: readonly number[]): Buffer {
  const bytes = others.flatMap((arc) => {
    const groups = [arc & 127];
    for (let rest = arc >> 7; rest > 0; rest >>= 7) groups.unshift((rest & 127) | 128);
    return groups;
  });
  return tagged(0x06, Buffer.of(first * 40 + second, ...bytes));
}

const nameOf = (common: string): Buffer =>
  sequence(tagged(0x31, sequence(oid(2, 5, 4, 3), tagged(0x0c, Buffer.from(common)))));

const time = (at: number): Buffer =>
  tagged(0x18, Buffer.from(`${new Date(at).toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`));

const extension = (id: Buffer, value: Buffer): Buffer => sequence(id, tagged(0x04, value));
