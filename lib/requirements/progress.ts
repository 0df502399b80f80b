import { BroadcastChannel } from 'node:worker_threads';

const CHANNEL = 'cts-progress';
const INTERVAL = 50;

/** Tells the reporter, in another thread, how many requests were sent; at most 20 times a second. */
export function reportProgress(): (requests: number) => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  let last = 0;
  return (requests) => {
    const now = performance.now();
    if (now - last < INTERVAL) return;
    last = now;
    channel.postMessage(requests);
  };
}

/** Listens until the returned function is called. */
export function onProgress(listen: (requests: number) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event) => listen((event as { data: number }).data);
  channel.unref();
  return () => channel.close();
}
