// The process of a reference service. Its argument is the latency in milliseconds. Prints its address and key, then the
// time of each request that arrives after a pause.
import { startReference } from '../../reference/start.ts';

const PAUSE = 200;

const latency = Number(process.argv[2]);
let last = 0;
const { baseUrl, apiKey } = await startReference(0, {
  around: (inner) => (request, response) => {
    const now = performance.timeOrigin + performance.now();
    if (now - last > PAUSE) process.stdout.write(`${now}\n`);
    last = now;
    if (latency === 0) return inner(request, response);
    setTimeout(() => inner(request, response), latency);
  },
});
process.stdout.write(`${JSON.stringify({ baseUrl, apiKey })}\n`);
