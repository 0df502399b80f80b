import type { Server } from 'node:http';
import { onTestFinished } from 'vitest';
import type { CommandResult } from './command.ts';
import { listen, startProxy } from './front.ts';
import type { ProxyBehaviour, TestProxy } from './front.ts';
import { startPlainService } from './plain-service.ts';
import type { PlainBehaviour, PlainService } from './plain-service.ts';

/** Starts a service that stops at the end of the test. */
export async function serviceThat(behaviour?: PlainBehaviour): Promise<PlainService> {
  const service = await startPlainService(behaviour);
  onTestFinished(service.stop);
  return service;
}

/** The variables that point the command at a service. */
export const at = ({ baseUrl, key }: PlainService): Record<string, string> => ({
  TARGET_BASE_URL: baseUrl,
  TARGET_API_KEY: key,
});

/** The ids of the requirements that failed. */
export const failed = ({ report }: CommandResult): string[] =>
  report!.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

/** Lets a server listen on a free loopback port until the test ends. @returns the port */
export async function listening(server: Server): Promise<number> {
  const { port, stop } = await listen(server);
  onTestFinished(stop);
  return port;
}

/** Starts a proxy that stops at the end of the test. */
export async function proxyThat(behaviour?: ProxyBehaviour, start = startProxy): Promise<TestProxy> {
  const proxy = await start(behaviour);
  onTestFinished(proxy.stop);
  return proxy;
}
