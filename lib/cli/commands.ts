import { Command } from 'commander';
import { suite } from '../settings/package-root.ts';
import { COLUMNS, wrapped } from '../report/text.ts';
import { reportError } from './errors.ts';
import { exitCodesHelp, rejectKeys, withChecks } from './options.ts';
import type { RunSuites } from './run-suites.ts';

/** What the help says about a command, and its code. */
interface CommandModule {
  readonly summary: string;
  readonly load: () => Promise<{ readonly commandWith: (runSuites: RunSuites) => Command }>;
}

/** The commands, in the order of the help. The code of a command is only loaded when it is called. */
export const commands: Readonly<Record<string, CommandModule>> = {
  run: { summary: 'check a service (the default command)', load: () => import('./run.ts') },
  doctor: { summary: 'find out whether a service is ready to be checked', load: () => import('./doctor.ts') },
  list: { summary: 'list all requirements and open questions', load: () => import('./list.ts') },
  explain: {
    summary: 'explain a requirement: why, how it is tested, what a failure looks like',
    load: () => import('./explain.ts'),
  },
  replay: { summary: 'send a saved counterexample again', load: () => import('./replay.ts') },
  judge: { summary: 're-evaluate recorded evidence', load: () => import('./judge.ts') },
  render: { summary: 'write the reports again from the files of a run', load: () => import('./render.ts') },
  merge: { summary: 'combine the reports of runs that shared their cases', load: () => import('./merge.ts') },
  diff: { summary: 'compare two reports', load: () => import('./diff.ts') },
  matrix: { summary: 'put the reports of several services side by side', load: () => import('./matrix.ts') },
  init: { summary: 'write a .env to fill in', load: () => import('./init.ts') },
  serve: { summary: 'run the reference service', load: () => import('./serve.ts') },
  openapi: { summary: 'print the interface as an OpenAPI document', load: () => import('./openapi.ts') },
};

/** Loads Vitest only when the suites run, after the settings were read. */
const inVitest: RunSuites = async (...args) => (await import('./run-suites.ts')).runSuites(...args);

/** Runs the command that the arguments call. Prints errors, and sets the exit code. */
export async function runCommand(args: readonly string[], runSuites = inVitest): Promise<void> {
  let flags: string[] = [];
  try {
    rejectKeys(args);
    // For `help` with a misspelt command, commander would print the general help instead of an error.
    const isUnknown = args[0] === 'help' && args.length > 1 && !Object.hasOwn(commands, args[1]!);
    const asked = isUnknown ? args.slice(1) : args;
    const program = await programFor(asked, runSuites);
    // Only the command that is called has options.
    flags = program.commands.flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
    await program.parseAsync(asked, { from: 'user' });
  } catch (error) {
    reportError(error, flags);
  }
}

/** The whole command line, with the code of the command that the arguments call. */
export async function programFor(args: readonly string[], runSuites = inVitest): Promise<Command> {
  const called = calledBy(args);
  const program = new Command('cts-conformance')
    .description('Checks whether a service conforms to the Customer and Token Service Interface')
    .version(suite.version)
    .exitOverride()
    // errors.ts prints the errors, without the arguments that a message of commander repeats.
    .configureOutput({ outputError: () => {} })
    .configureHelp({ helpWidth: COLUMNS })
    .addHelpText(
      'after',
      `
${wrapped('Every command has --help. Without a target, the embedded reference service is checked.').join('\n')}

Example:
  TARGET_BASE_URL=https://staging.example.com TARGET_API_KEY=sk_test_... cts-conformance run

${exitCodesHelp}`,
    );
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = name === called ? withChecks((await load()).commandWith(runSuites)) : new Command(name);
    program.addCommand(command.copyInheritedSettings(program).summary(summary), {
      isDefault: name === 'run' && name === called,
    });
  }
  return program;
}

function calledBy([first, second]: readonly string[]): string | undefined {
  if (first === 'help') return second;
  const isOption = first?.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first);
  return first === undefined || isOption ? 'run' : first;
}
