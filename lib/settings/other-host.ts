import { isIPv6 } from 'node:net';
import { z } from 'zod';

/** Where connections go in place of the host in the URL. */
export type OtherHost = { readonly host: string; readonly port: number } | { readonly path: string };

const EXPECTED =
  'expected HOST:PORT, such as 127.0.0.1:8443 or [::1]:8443; the URL keeps the host that requests name';

export const connectTo = z.string().transform((text, context): OtherHost => {
  const [, address, name, digits] = /^(?:\[([^\]]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const host = address ?? name;
  if (host !== undefined && (address === undefined || isIPv6(address)) && port > 0 && port < 65_536)
    return { host, port };
  context.addIssue(EXPECTED);
  return z.NEVER;
});

/** Bytes of a path that every system takes. */
const LONGEST = 103;

export const unixSocket = z
  .string()
  .refine((path) => Buffer.byteLength(path) <= LONGEST, {
    error: `expected the path of a socket of at most ${LONGEST} bytes, which systems take`,
  })
  .transform((path): OtherHost => ({ path }));

/** The port of a URL. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/** As URLs and curl write it. */
export const textOf = (other: OtherHost): string =>
  'path' in other ? other.path : `${isIPv6(other.host) ? `[${other.host}]` : other.host}:${other.port}`;
