import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { UsageError, unreadable } from './usage-error.ts';
import { fromText } from './values.ts';

/** How TLS connections are secured, as Node's options. */
export interface Tls {
  /** Trusted in place of the built-in authorities, PEM. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly pfx?: Uint8Array<ArrayBuffer>;
  readonly passphrase?: string;
  /** Sent as server name (RFC 6066), and expected in the certificate, in place of the host. */
  readonly servername?: string;
}

/** A file that a setting names. */
export interface GivenFile {
  readonly path: string;
  /** Undefined: not PEM. */
  readonly pem: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;

/** A file whose content is as expected. @param problem what is wrong with another one */
const file = (isExpected: (given: GivenFile) => boolean, problem: string) =>
  fromText((path): GivenFile => {
    const given = readFile(path);
    if (!isExpected(given)) throw new UsageError(problem);
    return given;
  });

function readFile(path: string): GivenFile {
  try {
    const bytes = new Uint8Array(readFileSync(path));
    const text = Buffer.from(bytes).toString('latin1');
    return { path, bytes, pem: text.includes('-----BEGIN ') ? text : undefined };
  } catch (error) {
    throw new UsageError(unreadable(error));
  }
}

/** The certificates in a PEM; undefined: there is none, or one that can't be read. */
function certificatesIn(pem: string): X509Certificate[] | undefined {
  try {
    const found = [...pem.matchAll(CERTIFICATE)].map(([one]) => new X509Certificate(one));
    return found.length > 0 ? found : undefined;
  } catch {
    return undefined;
  }
}

const NO_CERTIFICATE = 'the file holds no certificate; expected PEM, which has -----BEGIN CERTIFICATE-----';

export const authorities = file(({ pem = '' }) => certificatesIn(pem) !== undefined, NO_CERTIFICATE);

export const clientCertificate = file(
  ({ pem }) => pem === undefined || certificatesIn(pem) !== undefined,
  NO_CERTIFICATE,
);

export const privateKey = file(
  ({ pem = '' }) => PRIVATE_KEY.test(pem),
  'the file holds no private key; expected PEM, with -----BEGIN PRIVATE KEY-----',
);

export const serverName = z
  .string()
  .regex(/^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/, {
    error: 'expected a host name, such as staging.example.com',
  })
  .refine((name) => isIP(name) === 0, {
    error: 'expected a host name, not an address (RFC 6066, section 3)',
  });

/** The settings of TLS, each checked alone. */
export interface GivenTls {
  readonly ca?: GivenFile | undefined;
  readonly clientCert?: GivenFile | undefined;
  readonly clientKey?: GivenFile | undefined;
  readonly clientKeyPassphrase?: string | undefined;
  readonly serverName?: string | undefined;
}

/** Checks the client certificate and its key together. @throws {UsageError} which names the setting */
export function checkClient(given: GivenTls): void {
  const { clientCert: certificate, clientKey, clientKeyPassphrase: passphrase } = given;
  if (certificate === undefined) {
    if (clientKey === undefined && passphrase === undefined) return;
    const name = clientKey ? 'TARGET_CLIENT_KEY' : 'TARGET_CLIENT_KEY_PASSPHRASE';
    throw new UsageError(
      `TARGET_CLIENT_CERT is missing: set the file of the certificate that ${name} is for`,
    );
  }
  if (certificate.pem === undefined) return checkArchive(certificate, clientKey, passphrase);
  const pem = (clientKey ?? certificate).pem!;
  if (!PRIVATE_KEY.test(pem))
    throw new UsageError(
      'TARGET_CLIENT_KEY is missing: set the file of the private key of TARGET_CLIENT_CERT',
    );
  if (!certificatesIn(certificate.pem)![0]!.checkPrivateKey(readKey(pem, passphrase)))
    throw new UsageError(
      'TARGET_CLIENT_KEY does not fit TARGET_CLIENT_CERT: it is the key of another certificate',
    );
}

function readKey(pem: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isEncrypted = pem.includes('ENCRYPTED');
    if (code === 'ERR_MISSING_PASSPHRASE' || (passphrase === undefined && isEncrypted))
      throw new UsageError('TARGET_CLIENT_KEY_PASSPHRASE is missing: the private key is encrypted');
    const problem = isEncrypted ? 'TARGET_CLIENT_KEY_PASSPHRASE is wrong, or the' : 'TARGET_CLIENT_KEY: the';
    throw new UsageError(`${problem} private key can't be read (${code})`);
  }
}

/** Checks a PKCS#12 archive, which holds certificate and key. @throws {UsageError} */
function checkArchive(
  { bytes }: GivenFile,
  clientKey: GivenFile | undefined,
  passphrase: string | undefined,
): void {
  if (clientKey)
    throw new UsageError(
      'TARGET_CLIENT_KEY has no effect: TARGET_CLIENT_CERT is not PEM, and PKCS#12 holds the key',
    );
  try {
    createSecureContext({ pfx: Buffer.from(bytes), ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const { message } = error as Error;
    if (/mac verify/i.test(message))
      throw new UsageError(
        `TARGET_CLIENT_KEY_PASSPHRASE is ${passphrase === undefined ? 'missing: TARGET_CLIENT_CERT is encrypted' : 'wrong'}`,
      );
    throw new UsageError(
      /unsupported/i.test(message)
        ? 'TARGET_CLIENT_CERT: this PKCS#12 is encrypted in a way that Node.js no longer reads; export it again, with AES'
        : 'TARGET_CLIENT_CERT: the file is neither PEM, with -----BEGIN CERTIFICATE-----, nor PKCS#12',
    );
  }
}

/** Node's options for checked settings. */
export function tlsOf({ ca, clientCert, clientKey, clientKeyPassphrase, serverName: name }: GivenTls): Tls {
  return {
    ...(ca && { ca: ca.pem! }),
    ...(clientCert &&
      (clientCert.pem === undefined
        ? { pfx: clientCert.bytes }
        : { cert: clientCert.pem, key: (clientKey ?? clientCert).pem! })),
    ...(clientKeyPassphrase !== undefined && { passphrase: clientKeyPassphrase }),
    ...(name !== undefined && { servername: name }),
  };
}

/** Whether Node skips the verification of certificates, for the whole process. */
export const isVerificationOff = (): boolean => process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
