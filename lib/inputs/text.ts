/** Above this many code points only the ends are cut and the whole is simplified at once. */
const SHORT = 64;

/**
 * Shorter texts to try instead of a failing one, then texts with more of the letter a: chunks are cut
 * out, the large ones first, so that few requests are needed and the bare reason is left (`"İ"`, not
 * forty characters). Code points stay whole.
 */
export function* smallerText(value: string): Generator<string> {
  const points = [...value];
  const length = points.length;
  if (length === 0) return;
  yield '';
  for (const gap of halvings(length)) {
    yield points.slice(0, length - gap).join('');
    yield points.slice(gap).join('');
  }
  const plain = 'a'.repeat(length);
  if (length > 1 && value !== plain) yield plain;
  if (length > SHORT) return;
  for (const size of halvings(length)) {
    for (let at = size; at + size < length; at += size) yield points.toSpliced(at, size).join('');
  }
  for (const [at, point] of points.entries()) {
    if (point !== 'a') yield points.with(at, 'a').join('');
  }
}

function halvings(length: number): number[] {
  const sizes: number[] = [];
  for (let size = length >> 1; size >= 1; size >>= 1) sizes.push(size);
  return sizes;
}
