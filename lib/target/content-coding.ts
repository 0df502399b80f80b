import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

// A "deflate" without its zlib wrapper is wrong but common (RFC 9110, section 8.4.1.2).
const inflate: Decoder = (bytes, options) =>
  (bytes[0]! & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options);

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflate,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  identity: (bytes) => bytes,
};

/**
 * Undoes the content codings of a response (RFC 9110, section 8.4), the last one first, never to
 * more than `limit` bytes. What can't be undone is left as it is, with the problem in words.
 */
export function decodeContent(
  raw: Buffer,
  contentEncoding: string | undefined,
  limit: number,
): { bytes: Buffer; problem?: string } {
  let bytes = raw;
  if (bytes.length === 0) return { bytes };
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  for (const coding of codings.filter((name) => name !== '').toReversed()) {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    if (decode === undefined) return { bytes, problem: 'its content coding is unknown' };
    try {
      bytes = decode(bytes, { maxOutputLength: limit });
    } catch {
      return { bytes, problem: `it can't be decoded as ${coding} within ${limit} bytes` };
    }
  }
  return { bytes };
}
