import { pathToFileURL } from 'node:url';

/** Where in a file an error was thrown, as its stack tells; empty where it does not. */
export function placeIn(stack: string, file: string): string {
  const after = stack.split(pathToFileURL(file).href)[1] ?? stack.split(file)[1];
  const [, line] = after?.match(/^:(\d+)/) ?? [];
  return line === undefined ? '' : ` (line ${line})`;
}
