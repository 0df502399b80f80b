import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A service in a process of its own. */
export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** When it was first asked after a silence, each time: milliseconds since 1970. */
  readonly askedAt: number[];
  readonly stop: () => Promise<void>;
}

/** @param latency milliseconds before each answer */
export async function startService(latency: number): Promise<Service> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'target.ts'), String(latency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const askedAt: number[] = [];
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  lines.on('line', (line) => askedAt.push(Number(line.replace('asked ', ''))));
  return {
    ...(JSON.parse(first) as { baseUrl: string; apiKey: string }),
    askedAt,
    stop: async () => {
      child.kill();
      await once(child, 'close');
    },
  };
}
