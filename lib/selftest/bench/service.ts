import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startReference } from '../../reference/start.ts';

/** A reference service in a process of its own. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** When requests arrived after a pause, in milliseconds since 1970. */
  readonly requestedAt: number[];
  readonly stop: () => Promise<void>;
}

/** @param latency milliseconds before each response */
export async function startServiceProcess(latency: number): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [import.meta.filename, String(latency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const requestedAt: number[] = [];
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  lines.on('line', (line) => requestedAt.push(Number(line)));
  return {
    ...(JSON.parse(first) as { baseUrl: string; apiKey: string }),
    requestedAt,
    stop: async () => {
      child.kill();
      await once(child, 'close');
    },
  };
}

const PAUSE = 200;

/** Prints address and key, then the time of each request that arrives after a pause. */
async function serve(latency: number): Promise<void> {
  let last = 0;
  const { baseUrl, apiKey } = await startReference({
    around: (inner) => (request, response) => {
      const now = performance.timeOrigin + performance.now();
      if (now - last > PAUSE) process.stdout.write(`${now}\n`);
      last = now;
      if (latency === 0) return inner(request, response);
      setTimeout(() => inner(request, response), latency);
    },
  });
  process.stdout.write(`${JSON.stringify({ baseUrl, apiKey })}\n`);
}

if (import.meta.main) await serve(Number(process.argv[2]));
