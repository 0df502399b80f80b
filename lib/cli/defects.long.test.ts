import { describe, expect, it } from 'vitest';
import { cts } from '../selftest/command.ts';
import type { CommandResult } from '../selftest/command.ts';
import { inSuites, sabotaged } from '../selftest/sabotaged.ts';
import { serviceThat, variablesOf } from '../selftest/services.ts';

/** The smallest run that shows the defect. */
const some = ['--only', 'customer.name.echoed', '--cases', '60'];
const BUG = '(undefined as any).member';

/** What is wrong with how a run reported a defect: on one line, without a verdict; empty: nothing. */
const flaws = ({ code, stdout, stderr, report }: CommandResult, message: RegExp): string[] => [
  ...(message.test(`${stdout}${stderr}`) ? [] : [`it says ${stdout}${stderr}`]),
  ...(/^(?:CONFORMS|DOES NOT CONFORM|FIXED|STILL FAILS) /m.test(stdout) ? ['it shows a verdict'] : []),
  ...((report?.verdict ?? 'inconclusive') === 'inconclusive' ? [] : [`it reports ${report!.verdict}`]),
  ...(code === 4 ? [] : [`exit ${code}`]),
];

describe('a bug in the suite', () => {
  it.each([
    ['a check', 'suites/checks.ts', 'const echoed = member(', `${BUG}; const echoed = member(`],
    [
      'the reporter, that nobody catches',
      'lib/report/reporter.ts',
      'startTime = performance.now();\n      ending',
      `setTimeout(() => ${BUG}, 1); ending`,
    ],
    ['what starts the service', 'lib/reference/start.ts', 'const server', `${BUG}; const server`],
  ])('in %s is exit code 4, and no verdict', async (_, file, find, put) => {
    const ended = await cts(some, sabotaged({ sources: [{ file, find, put }] }));
    expect(flaws(ended, /the suite itself failed, please report it: .*reading 'member'/i)).toEqual([]);
  });

  it('that no test waits for is exit code 4, and reported without the key', async () => {
    const service = await serviceThat();
    const throws = String.raw`void Promise.reject(new Error('the \u001B[2Jkey ' + inject('targetSettings').apiKey))`;
    const edit = inSuites(`import { inject } from 'vitest'; ${throws}`);
    const ended = await cts(some, { ...variablesOf(service), ...sabotaged({ sources: [edit] }) });
    expect(
      flaws(ended, /The suite itself failed, please report it: its text would have contained a secret/),
    ).toEqual([]);
    expect(ended.bytes).not.toContain(service.apiKey);
    expect(ended.bytes).not.toContain('\u001B');
  });

  it('in a thread that runs out of memory, or ends, is exit code 4', async () => {
    const eat = 'for (const all: object[] = []; ; ) all.push({ size: all.length })';
    const [full, gone] = await Promise.all([
      cts(some, sabotaged({ sources: [inSuites(eat)] }, '--max-old-space-size=100')),
      cts(some, sabotaged({ sources: [inSuites('process.exit(0)')] })),
    ]);
    expect(flaws(full, /the suite itself failed.*it may have run out of memory/)).toEqual([]);
    expect(flaws(gone, /The suite itself failed.*process\.exit/)).toEqual([]);
  });

  it('that never ends is stopped', async () => {
    const forEver = inSuites("new BroadcastChannel('loops').postMessage(''); for (;;);");
    // Node may not end a thread that it stops while the thread still loads, so the time begins with the loop.
    const sooner = {
      file: 'lib/cli/run-suites.ts',
      find: 'afterRunning(seconds * 1000, ',
      put: `((stop) => {
        const loops = new BroadcastChannel('loops');
        loops.onmessage = () => afterRunning(seconds, stop);
        return () => loops.close();
      })(`,
    };
    const ended = await cts(
      ['--time-budget', '100', '--timeout', '10'],
      sabotaged({ sources: [forEver, sooner] }),
    );
    expect(flaws(ended, /the suites did not end within 140 s/)).toEqual([]);
  });
});
