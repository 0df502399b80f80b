import type { ListenOptions, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import type { CommandResult } from './command.ts';
import { listen, startProxy, forwardTo } from './front.ts';
import type { Listening, ProxyBehaviour, TestProxy } from './front.ts';
import { startPlainService } from './plain-service.ts';
import type { PlainBehaviour, PlainService } from './plain-service.ts';
import type { ReportedRequirement } from '../schemas/report.ts';
import { createServer } from 'node:https';
import type { ServerOptions } from 'node:https';

/** Starts a service that stops at the end of the test. */
export async function serviceThat(behaviour?: PlainBehaviour): Promise<PlainService> {
  const service = await startPlainService(behaviour);
  onTestFinished(service.stop);
  return service;
}

/** The variables that point the command at a service. */
export const variablesOf = ({ baseUrl, apiKey }: PlainService): Record<string, string> => ({
  TARGET_BASE_URL: baseUrl,
  TARGET_API_KEY: apiKey,
});

export const failed = ({ report }: CommandResult): string[] =>
  report!.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

/** A requirement in the report of a run. */
export const requirementIn = ({ report }: Pick<CommandResult, 'report'>, id: string): ReportedRequirement =>
  report!.requirements.find((one) => one.id === id)!;

/** A printed text as words with one space between them. */
export const words = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Lets a server listen until the test ends, by default on a free loopback port. */
export async function listening(server: Server, options?: ListenOptions): Promise<Omit<Listening, 'stop'>> {
  const { stop, ...address } = await listen(server, options);
  onTestFinished(stop);
  return address;
}

/** Starts a service behind TLS that stops at the end of the test. @param options those of the TLS server */
export async function securedService(
  options: ServerOptions,
  behaviour?: PlainBehaviour,
): Promise<PlainService> {
  const service = await serviceThat(behaviour);
  const { port } = await listening(createServer(options, forwardTo(service.baseUrl)));
  return { ...service, baseUrl: `https://127.0.0.1:${port}/api` };
}

/** Starts a proxy that stops at the end of the test. */
export async function proxyThat(behaviour?: ProxyBehaviour, start = startProxy): Promise<TestProxy> {
  const proxy = await start(behaviour);
  onTestFinished(proxy.stop);
  return proxy;
}
