import { setImmediate, setTimeout } from 'node:timers/promises';

/** Lets other requests run, as many times as said. */
export async function pause(times: number): Promise<void> {
  for (let i = 0; i < times; i++) await setImmediate();
}

export const sleep = (milliseconds: number): Promise<void> => setTimeout(milliseconds);
