import { BroadcastChannel } from 'node:worker_threads';
import type { Created } from '../schemas/report.ts';
import type { Traffic } from '../target/sender.ts';
import type { Answer } from './answers/answer.ts';
import type { Written } from './evidence/lines.ts';

const CHANNEL_NAME = 'cts-conformance';
/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL = 50;

/** The results of a run beside its findings. */
export interface EndedRun {
  readonly traffic: Traffic;
  /** Cases of the widest input: as many as the limits allowed. */
  readonly cases: number;
  /** The customers that were requested with the right key, in any scenario, and how many of them were accepted. */
  readonly customers: { readonly requested: number; readonly accepted: number };
  /** What most retries followed, in a few words; undefined: there were none. */
  readonly trouble?: string | undefined;
  readonly created: Created;
  readonly answers: readonly Answer[];
  /** The file of its evidence; undefined: it writes none. */
  readonly evidence: Written | undefined;
}

/** A message of the suites to the reporter, which runs in another thread. */
export type Message =
  /** The suites listen: from now on an order reaches them. */
  | { readonly listening: true }
  /** The number of sent requests without retries, about how many there will be, and what the latest retry followed; undefined: unknown. */
  | {
      readonly requests: number;
      readonly retries: number;
      readonly expected: number | undefined;
      readonly trouble?: string | undefined;
    }
  /** A remark for the user during the run. */
  | { readonly text: string }
  /** A secret that must be in no output; it stays in memory. */
  | { readonly secret: string }
  /** Why custom suites can't be used: one line or more for each file. Nothing was sent, and nothing will be. */
  | { readonly unusable: readonly string[] }
  | { readonly ended: EndedRun };

/** A message of the command line to the suites. */
type Order = { readonly stop: string };

/** Takes what the suites report while they run and when they end. */
export interface ReporterChannel {
  /** Reports progress at most 20 times a second. */
  readonly post: (message: Message) => void;
  /** Calls `stop` when the command line ends the run. */
  readonly onStop: (stop: (reason: string) => void) => void;
  readonly close: () => void;
}

/** The channel to the reporter in the main thread. */
export function openReporterChannel(): ReporterChannel {
  const channel = new BroadcastChannel(CHANNEL_NAME);
  channel.unref();
  let last = 0;
  const post = (message: Message): void => {
    if ('requests' in message) {
      const now = performance.now();
      if (now - last < PROGRESS_INTERVAL) return;
      last = now;
    }
    channel.postMessage(message);
  };
  return {
    post,
    onStop: (stop) => {
      channel.onmessage = (event) => {
        const data = (event as { data: Partial<Order> }).data;
        if (data.stop !== undefined) stop(data.stop);
      };
      post({ listening: true });
    },
    close: () => channel.close(),
  };
}

/** Listens to the suites until the returned function is called. */
export function onMessage(listen: (message: Message) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL_NAME);
  channel.onmessage = (event) => {
    const { data } = event as { data: Message | Order };
    if (!('stop' in data)) listen(data);
  };
  channel.unref();
  return () => channel.close();
}

/** Makes the suites stop sending, and judge the responses they have; if they do not listen yet, as soon as they do. */
export function stopRun(reason: string): void {
  const channel = new BroadcastChannel(CHANNEL_NAME);
  channel.unref();
  const order = (): void => channel.postMessage({ stop: reason } satisfies Order);
  channel.onmessage = (event) => {
    const { data } = event as { data: Message | Order };
    if ('listening' in data) order();
    else if ('ended' in data) channel.close();
  };
  order();
}
