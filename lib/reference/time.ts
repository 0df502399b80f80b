import { setImmediate, setTimeout } from 'node:timers/promises';

/** Yields to other requests. @param times how many turns of the event loop */
export async function pause(times: number): Promise<void> {
  for (let i = 0; i < times; i++) await setImmediate();
}

export const sleep = (milliseconds: number): Promise<void> => setTimeout(milliseconds);
