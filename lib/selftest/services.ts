import { onTestFinished } from 'vitest';
import type { CommandResult } from './command.ts';
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
