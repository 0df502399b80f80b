import { BroadcastChannel } from 'node:worker_threads';

const CHANNEL = 'cts-progress';
const INTERVAL = 50;

/** What the suites tell the reporter, which runs in another thread, while a run goes on. */
export type News =
  | { readonly requests: number }
  /** Something that a person should know meanwhile. */
  | { readonly text: string }
  /** What must be in no output; it stays in memory. */
  | { readonly secret: string };

/** Tells the reporter; of numbers at most 20 a second. */
export function telling(): {
  progress: (requests: number) => void;
  say: (text: string) => void;
  secret: (text: string) => void;
  /** How many secrets were told. */
  secrets: () => number;
} {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  const tell = (news: News): void => channel.postMessage(news);
  let last = 0;
  let secrets = 0;
  return {
    progress(requests) {
      const now = performance.now();
      if (now - last < INTERVAL) return;
      last = now;
      tell({ requests });
    },
    say: (text) => tell({ text }),
    secret(secret) {
      secrets++;
      tell({ secret });
    },
    secrets: () => secrets,
  };
}

/** Listens until the returned function is called. */
export function onNews(listen: (news: News) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event) => listen((event as { data: News }).data);
  channel.unref();
  return () => channel.close();
}
