/** What a long load has left behind. Memory in megabytes. */
export interface Soaked {
  readonly exchanges: number;
  /** Requests to which no response came, however often they were sent. */
  readonly lost: number;
  readonly retries: number;
  readonly seconds: number;
  /** Resident set at so much of the load. */
  readonly rss: Readonly<Record<'10 %' | '50 %' | '100 %', number>>;
  /** Heap in use, once what is no longer used was given back. */
  readonly heap: Readonly<Record<'20 %' | '100 %', number>>;
  /** Open descriptors; undefined where the system does not tell. */
  readonly descriptors: Readonly<Record<'before' | 'after', number | undefined>>;
  readonly rejections: number;
}

/** What garbage collection and compiled code may take beside. */
const LEEWAY = 8;

/** Why a load has not left everything as it was; empty: it has. */
export const complaintsAbout = ({ heap, descriptors, rejections, exchanges, lost }: Soaked): string[] => [
  ...(heap['100 %'] <= heap['20 %'] * 1.2 + LEEWAY ? [] : ['memory is not flat']),
  ...((descriptors.after ?? 0) <= (descriptors.before ?? 0) ? [] : ['descriptors stayed open']),
  ...(rejections === 0 ? [] : ['rejections were unhandled']),
  ...(lost * 20 <= exchanges ? [] : ['more than one request in twenty came to nothing']),
];

/** The same as a table. */
export function tableOf(soaked: Soaked): string {
  const { exchanges, lost, retries, seconds, rss, heap, descriptors, rejections } = soaked;
  const megabytes = (value: number): string => `${value.toFixed(1)} MB`;
  const rows: (readonly [string, string])[] = [
    ['exchanges', String(exchanges)],
    ['sent again', String(retries)],
    ['came to nothing', String(lost)],
    ['seconds', seconds.toFixed(1)],
    ...Object.entries(rss).map(([at, value]) => [`resident set at ${at}`, megabytes(value)] as const),
    ...Object.entries(heap).map(([at, value]) => [`heap in use at ${at}`, megabytes(value)] as const),
    ...Object.entries(descriptors).map(
      ([at, value]) => [`open descriptors ${at}`, value === undefined ? 'unknown' : String(value)] as const,
    ),
    ['unhandled rejections', String(rejections)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(26)}${value.padStart(10)}\n`).join('');
}
