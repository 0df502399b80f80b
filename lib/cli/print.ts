import { withoutCiCommands } from '../target/output/printable.ts';

/** Prints text that may quote a target, so that no CI system takes a line of it for a command. */
export const print = (text: string): void => void process.stdout.write(withoutCiCommands(text));
