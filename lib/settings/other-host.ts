import { isIPv6 } from 'node:net';
import { UsageError } from './usage-error.ts';
import { fromText } from './values.ts';

/** Where connections go in place of the host in the URL. */
export type OtherHost = { readonly host: string; readonly port: number } | { readonly path: string };

export const connectTo = fromText((text): OtherHost => {
  const [, address, name, digits] = /^(?:\[([^\]]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const host = address ?? name;
  if (host !== undefined && (address === undefined || isIPv6(address)) && port > 0 && port < 65_536)
    return { host, port };
  throw new UsageError(
    'expected HOST:PORT, such as 127.0.0.1:8443 or [::1]:8443; the URL keeps the host that requests name',
  );
});

/** Bytes of a path that every system takes. */
const LONGEST = 103;

export const unixSocket = fromText((path): OtherHost => {
  if (Buffer.byteLength(path) <= LONGEST) return { path };
  throw new UsageError(`expected the path of a socket of at most ${LONGEST} bytes, which systems take`);
});

/** The port of a URL. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/** As URLs and curl write it. */
export const textOf = (other: OtherHost): string =>
  'path' in other ? other.path : `${isIPv6(other.host) ? `[${other.host}]` : other.host}:${other.port}`;
