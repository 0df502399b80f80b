/** Milliseconds between two checks of how much time has passed. */
const CHECK_INTERVAL = 250;

/**
 * Calls back after a time during which this process ran. A timer would also count the time during which its machine was
 * suspended or its event loop blocked, and take a response that waits to be read for one that is late.
 * @param milliseconds of running time
 * @returns a function that cancels it
 */
export function afterRunning(milliseconds: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    const step = Math.min(CHECK_INTERVAL, left);
    timer = setTimeout(() => (left > step ? wait(left - step) : callback()), Math.ceil(step));
  };
  wait(milliseconds);
  return () => clearTimeout(timer);
}
