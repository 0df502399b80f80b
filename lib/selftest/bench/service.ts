import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

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
  const child = spawn(process.execPath, [join(import.meta.dirname, 'service-process.ts'), String(latency)], {
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
