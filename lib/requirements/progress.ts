import { BroadcastChannel } from 'node:worker_threads';

const CHANNEL = 'cts-progress';
const INTERVAL = 50;

/** How many requests were sent, or something that a person should know while the run goes on. */
export type News = number | string;

/** Tells the reporter, in another thread; of numbers at most 20 a second. */
export function reportProgress(): (news: News) => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  let last = 0;
  return (news) => {
    const now = performance.now();
    if (typeof news === 'number') {
      if (now - last < INTERVAL) return;
      last = now;
    }
    channel.postMessage(news);
  };
}

/** Listens until the returned function is called. */
export function onProgress(listen: (news: News) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event) => listen((event as { data: News }).data);
  channel.unref();
  return () => channel.close();
}
