import { html, joined, shortName, visible } from './html.ts';
import type { Html } from './html.ts';
import { codePointName } from '../../target/output/character-names.ts';

/** A run of code points: in both texts, only in the first, or only in the second. */
interface Hunk {
  readonly kind: 'same' | 'gone' | 'new';
  readonly points: readonly string[];
}

/** Maximum number of pairs of code points that are compared; longer texts are shown as wholly different. */
const MAX_PAIRS = 400_000;

/** Compares two texts by code points (longest common subsequence). */
export function compare(sent: string, got: string): Hunk[] {
  const one = [...sent];
  const other = [...got];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const middle = between(one.slice(start, one.length - end), other.slice(start, other.length - end));
  const hunks: Hunk[] = [
    { kind: 'same', points: one.slice(0, start) },
    ...middle,
    { kind: 'same', points: one.slice(one.length - end) },
  ];
  return hunks.filter(({ points }) => points.length > 0);
}

/** Two texts with a smaller common part are shown as wholly different. */
const MIN_ALIKE = 0.4;

const different = (one: readonly string[], other: readonly string[]): Hunk[] => [
  { kind: 'gone', points: one },
  { kind: 'new', points: other },
];

function between(one: readonly string[], other: readonly string[]): Hunk[] {
  if (one.length * other.length > MAX_PAIRS) return different(one, other);
  const width = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        one[i] === other[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  // Single letters in common would only scatter the difference.
  if (lengths[0]! < MIN_ALIKE * Math.max(one.length, other.length)) return different(one, other);
  const hunks: { kind: Hunk['kind']; points: string[] }[] = [];
  const add = (kind: Hunk['kind'], point: string): void => {
    const last = hunks.at(-1);
    if (last?.kind === kind) last.points.push(point);
    else hunks.push({ kind, points: [point] });
  };
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      add('same', one[i++]!);
      j++;
    } else if (
      i < one.length &&
      (j === other.length || lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    )
      add('gone', one[i++]!);
    else add('new', other[j++]!);
  }
  return hunks;
}

/** Two texts with their differences marked, and the differences by code point. */
export function difference(sent: string, got: string): Readonly<Record<'sent' | 'got' | 'points', Html>> {
  const hunks = compare(sent, got);
  return { sent: line(hunks, 'gone'), got: line(hunks, 'new'), points: list(hunks) };
}

/** Code points of a common run that are shown on each side of a difference. */
const CONTEXT = 24;

function line(hunks: readonly Hunk[], side: 'gone' | 'new'): Html {
  const shown = hunks.filter(({ kind }) => kind === 'same' || kind === side);
  if (shown.length === 0) return html`<i>nothing</i>`;
  return html`<code class="text"
    >${shown.map(({ kind, points }) => {
      const text = points.join('');
      if (kind === 'gone') return html`<del>${visible(text)}</del>`;
      if (kind === 'new') return html`<ins>${visible(text)}</ins>`;
      if (points.length <= 2 * CONTEXT + 10) return visible(text);
      const equal = points.length - 2 * CONTEXT;
      return html`${visible(points.slice(0, CONTEXT).join(''))}<span class="cut">… ${equal} equal …</span
        >${visible(points.slice(-CONTEXT).join(''))}`;
    })}</code
  >`;
}

const MAX_LISTED = 8;
const MAX_POINTS = 12;

function list(hunks: readonly Hunk[]): Html {
  const items: Html[] = [];
  let at = 1;
  let isPaired = false;
  for (const [index, { kind, points }] of hunks.entries()) {
    const next = hunks[index + 1];
    if (kind === 'gone') {
      isPaired = next?.kind === 'new';
      const instead = isPaired ? html`received as ${named(next!.points)}` : html`missing`;
      items.push(html`<li>at code point ${at}: ${named(points)} ${instead}</li>`);
    } else if (kind === 'new') {
      if (!isPaired)
        items.push(html`<li>before code point ${at}: ${named(points)} received, but not sent</li>`);
      isPaired = false;
    }
    if (kind !== 'new') at += points.length;
  }
  const more = items.length - MAX_LISTED;
  return html`<ul class="points">
    ${items.slice(0, MAX_LISTED)}${more > 0 && html`<li>and ${more} more differences</li>`}
  </ul>`;
}

const named = (points: readonly string[]): Html =>
  html`${joined(
    points
      .slice(0, MAX_POINTS)
      .map((point) => html`<span class="point">${codePointName(point)} <b>${pointShown(point)}</b></span>`),
    ' ',
  )}${points.length > MAX_POINTS && ` and ${points.length - MAX_POINTS} more`}`;

/** A combining mark is shown on a dotted circle. */
const pointShown = (point: string): Html =>
  html`${/\p{M}/u.test(point) && '◌'}${point === ' ' ? shortName(point) : visible(point)}`;
