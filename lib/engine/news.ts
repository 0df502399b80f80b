import { BroadcastChannel } from 'node:worker_threads';
import type { Created } from '../schemas/report.ts';
import type { Traffic } from '../target/sending.ts';
import type { Answer } from './answer.ts';
import type { Written } from './lines.ts';

const CHANNEL = 'cts-conformance';
const INTERVAL = 50;

/** What a run leaves when it is over, beside the findings. */
export interface Ended {
  readonly traffic: Traffic;
  readonly created: Created;
  readonly answers: readonly Answer[];
  /** Where the lines of its evidence are; undefined: it writes none. */
  readonly evidence: Written | undefined;
}

/** What the suites report to the reporter, which runs in another thread. */
export type News =
  | { readonly requests: number }
  /** Something that a person should know meanwhile. */
  | { readonly text: string }
  /** What must be in no output; it stays in memory. */
  | { readonly secret: string }
  | { readonly ended: Ended };

/** What the command line tells the suites. */
type Order = { readonly stop: string };

/** The suites' end of the channel. */
export interface Newsroom {
  /** Of numbers at most 20 a second are reported. */
  readonly progress: (requests: number) => void;
  readonly say: (text: string) => void;
  readonly secret: (text: string) => void;
  readonly ended: (ended: Ended) => void;
  /** @param stop is called when the command line wants the run to end */
  readonly onStop: (stop: (reason: string) => void) => void;
  readonly close: () => void;
}

export function openNews(): Newsroom {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  const post = (news: News): void => channel.postMessage(news);
  let last = 0;
  return {
    progress(requests) {
      const now = performance.now();
      if (now - last < INTERVAL) return;
      last = now;
      post({ requests });
    },
    say: (text) => post({ text }),
    secret: (secret) => post({ secret }),
    ended: (ended) => post({ ended }),
    onStop: (stop) => {
      channel.onmessage = (event) => {
        const data = (event as { data: Partial<Order> }).data;
        if (data.stop !== undefined) stop(data.stop);
      };
    },
    close: () => channel.close(),
  };
}

/** Listens to the suites until the returned function is called. */
export function onNews(listen: (news: News) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event) => {
    const { data } = event as { data: News | Order };
    if (!('stop' in data)) listen(data);
  };
  channel.unref();
  return () => channel.close();
}

/** Asks the suites to send nothing more, and to judge what they have. */
export function stopRun(reason: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ stop: reason } satisfies Order);
  channel.close();
}
