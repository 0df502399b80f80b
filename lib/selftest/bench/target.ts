/** A reference service in a process of its own, as slow as asked for; tells when it is asked after a silence. */
import { startReference } from '../../reference/start.ts';

const SILENCE = 200;

const latency = Number(process.argv[2]);
let last = 0;
const { baseUrl, apiKey } = await startReference(0, {
  around: (inner) => (request, response) => {
    const now = performance.timeOrigin + performance.now();
    if (now - last > SILENCE) process.stdout.write(`asked ${now}\n`);
    last = now;
    if (latency === 0) return inner(request, response);
    setTimeout(() => inner(request, response), latency);
  },
});
process.stdout.write(`${JSON.stringify({ baseUrl, apiKey })}\n`);
