import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describedSettings } from '../settings/settings.ts';
import { commands, programFor } from './commands.ts';
import { cts } from '../selftest/command.ts';
import { ctsInProcess } from '../selftest/in-process.ts';

describe('wrong usage', () => {
  it.each([
    [['--nope'], {}, 'unknown option --nope'],
    [['--seed'], {}, "option '--seed <N>' argument missing"],
    [['--seed', '--strict'], {}, '--seed needs a value'],
    [['--sed', '1'], {}, 'unknown option --sed; did you mean --seed?'],
    [['--url', 'http://127.0.0.1:9'], {}, 'unknown option --url; did you mean --base-url?'],
    [['--scopes', 'a'], {}, 'unknown option --scopes; did you mean --token-scopes?'],
    [['list', '--url', 'http://127.0.0.1:9'], {}, 'unknown option --url (see --help)'],
    [['diff', '--seed', '1', 'a', 'b'], {}, 'unknown option --seed (see --help)'],
    [['http://127.0.0.1:9'], {}, 'unknown command; put --base-url before the URL of the service'],
    [['localhost:8080'], {}, 'unknown command; put --base-url before the URL of the service'],
    [
      ['run', 'http://127.0.0.1:9'],
      {},
      'expected no argument beside the options; put --base-url before the URL',
    ],
    [['--apikey=pasted123456'], {}, 'no flag for the key'],
    [['--token=pasted123456'], {}, 'unknown option --token'],
    [['rnu'], {}, 'unknown command rnu; did you mean run?'],
    [['run', '--strict=yes'], {}, '--strict: expected no value; leave out the = and what follows it'],
    [[], { TARGET_PROFLE: 'a.json' }, 'TARGET_PROFLE: unknown setting; did you mean TARGET_PROFILE?'],
    [[], { TARGET_URL: 'http://127.0.0.1' }, 'TARGET_URL: unknown setting; did you mean TARGET_BASE_URL?'],
    [[], { CTS_PROFILE: 'a.json' }, 'CTS_PROFILE: unknown setting; did you mean TARGET_PROFILE?'],
    [[], { TARGET_STRICT: 'true' }, 'TARGET_STRICT: unknown setting; did you mean CTS_STRICT?'],
    [[], { CTS_STRIKT: 'true' }, 'CTS_STRIKT: unknown setting; did you mean CTS_STRICT?'],
    [['doctor', '--strict'], {}, 'unknown option --strict'],
    [[], { TARGET_BASE_URL: 'http://127.0.0.1:9', TARGET_API_KEY: 'sk_test_...' }, 'a placeholder'],
    [[], { TARGET_BASE_URL: 'http://127.0.0.1:9', TARGET_API_KEY: "'sk_test_abc" }, 'begins with a quote'],
    [
      [],
      { TARGET_BASEURL: 'http://127.0.0.1:8', TARGET_BASE_URL: 'http://127.0.0.1:9' },
      'TARGET_BASEURL: unknown setting',
    ],
    // Those of other tools.
    [[], { TARGET_CC: 'gcc', TARGET_BASE_URL: 'http://127.0.0.1:9' }, 'TARGET_API_KEY is missing'],
    [[], { TARGET_URL: 'x', TARGET_BASE_URL: 'http://127.0.0.1:9' }, 'TARGET_API_KEY is missing'],
    [['run', 'pasted123456'], {}, 'expected no argument beside the options'],
    [['--quiet', '--verbose'], {}, "'--quiet' cannot be used with option '--verbose'"],
    [['--suite-counts'], {}, '--suite-counts has no effect without --suite DIR'],
    [['--suite', '/nowhere'], {}, 'the folder does not exist'],
    [['--suite', import.meta.dirname], {}, 'has no suites'],
    [
      ['--baseline-until', '2027-01-31'],
      {},
      'CTS_BASELINE_UNTIL (--baseline-until): it has no effect without',
    ],
    [['--baseline-until', 'soon'], {}, '--baseline-until: expected a date, YYYY-MM-DD'],
    [['serve', '--fault', 'name-html'], {}, 'similar names: name-html-escape'],
    [
      ['serve', '--fault', 'name-uppercase', '--variant', 'reference'],
      {},
      "'--fault <NAME>' cannot be used with",
    ],
    [['--report', 'har,pdf'], {}, '--report: expected har, ctrf or both'],
    [['--seed', 'x'], {}, '--seed: expected a whole number'],
    [['nope'], {}, 'unknown command'],
    [['run', 'sk_test_pasted123456'], {}, 'A key is never an argument'],
    [['--api-key', 'sk_test_pasted123456'], {}, 'no flag for the key'],
    [['replay', 'sk_test_pasted123456'], {}, 'A key is never an argument'],
    [['--out', 'a/sk_test_pasted123456'], {}, '--out holds a key'],
    [['--out=sk_test_pasted123456'], {}, '--out holds a key'],
    [['--sk_test_pasted123456=x'], {}, 'an argument holds a key'],
    [
      ['--base-url', 'http://a.example/pasted123456'],
      { TARGET_API_KEY: 'pasted123456' },
      '--base-url holds a key',
    ],
    [[], { TARGET_BASE_URL: 'http://a.example/sk_test_pasted123456' }, 'TARGET_BASE_URL: holds a key'],
    [[], { TARGET_BASE_URL: 'http://a.example', TARGET_API_KEY: 'sk_live_pasted123456' }, '--allow-live-key'],
    [['--only', 'nope'], {}, '--only: no requirement'],
    [[], { TARGET_BASE_URL: '' }, 'TARGET_BASE_URL is empty'],
    [[], { TARGET_BASE_URL: 'http://127.0.0.1:9' }, 'TARGET_API_KEY is missing'],
    [['--only', 'customer.*', '--only', 'token.*'], {}, '--only is given twice'],
    [['--out', '/dev/null'], {}, "reports can't be written to this folder"],
    [['replay'], {}, "missing required argument 'case'"],
    [['replay', 'nowhere.json'], {}, 'the file does not exist'],
    // It writes no reports.
    [['replay', 'nowhere.json', '--out', '/dev/null'], {}, 'the file does not exist'],
    [['replay', 'customer.name.echo'], {}, 'similar ids: customer.name.echoed'],
    [['replay', 'customer.name.echoed'], {}, 'the file does not exist'],
    [['--shard', '1/2'], {}, 'CTS_SEED (--seed) is missing'],
    [['--shard', '1/2', '--seed', '7'], {}, 'TARGET_BASE_URL is missing: runs that share cases'],
    [
      [],
      { TARGET_BASEURL: 'http://a.example' },
      'TARGET_BASEURL: unknown setting; did you mean TARGET_BASE_URL?',
    ],
    [['--write-profile', '/proc/x.json'], {}, '--write-profile: it can'],
    [['--write-waivers', '/proc/x.json'], {}, '--write-waivers: it can'],
    [
      ['--write-waivers', 'a', '--write-profile', 'b'],
      {},
      '--write-waivers: --write-profile would write another profile',
    ],
    [['help', 'docter'], {}, 'unknown command docter; did you mean doctor?'],
    [['explain', 'tokens.scope*'], {}, 'similar ids: token.scopes'],
    [['serve', '--port', '99999'], {}, '--port: expected'],
    [['doctor', '--profile', 'x'], {}, 'unknown option --profile'],
    [['doctor'], { TARGET_BASE_URL: 'nonsense' }, 'TARGET_BASE_URL: has no scheme'],
    [['--cases-from', 'nowhere'], {}, 'nowhere: the folder does not exist'],
    [['render'], {}, "missing required argument 'folder'"],
    [['render', '.'], {}, 'conformance.json: the file does not exist'],
    [['matrix'], {}, "missing required argument 'reports'"],
    [['explain'], {}, "missing required argument 'ids'"],
    [['list', 'nope.*'], {}, 'no requirement and no question has this id'],
    [['diff', 'one'], {}, "missing required argument 'new'"],
    [['diff', 'one', 'two', '--format', 'xml'], {}, '--format: expected one of text, html, markdown, json'],
  ] as const)('%j %j is exit code 2 with a message', async (args, environment, message) => {
    const { code, stderr, stdout, report } = await ctsInProcess(args, environment);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(`${stdout}${stderr}`).not.toContain('pasted123456');
    expect(code).toBe(2);
    expect(report).toBeUndefined();
  });

  it('is an annotation in a job of GitHub Actions, too', async () => {
    const { code, stdout } = await ctsInProcess(['--cases', 'sk_test_pasted123456'], {
      GITHUB_ACTIONS: 'true',
    });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^::error title=Wrong usage or settings%3A nothing was sent::--cases holds a key/);
    expect(stdout).not.toContain('pasted123456');
  });

  it('is the exit code of the process, too', async () => {
    const { code, stderr } = await cts(['--zzz']);
    expect([code, stderr]).toEqual([2, 'cts-conformance: unknown option --zzz (see --help)\n']);
  });
});

describe('a Node.js that is too old', () => {
  it('is rejected with a message', () => {
    const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'22.18.0'}})`;
    const bin = join(import.meta.dirname, 'bin.js');
    const { status, stderr } = spawnSync(process.execPath, ['--import', older, bin, 'list'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('cts-conformance needs Node.js 22.19 or later; this is 22.18.0\n');
    expect(status).toBe(2);
  });
});

describe('help', () => {
  /** What `--help` prints. */
  async function helpOf(...args: string[]): Promise<string> {
    const program = await programFor([...args, '--help']);
    let text = '';
    for (const command of [program, ...program.commands])
      command.configureOutput({ writeOut: (chunk) => (text += chunk) });
    await expect(program.parseAsync([...args, '--help'], { from: 'user' })).rejects.toThrow('(outputHelp)');
    return text;
  }

  it('lists the commands', async () => {
    const text = await helpOf();
    for (const name of Object.keys(commands)) expect(text).toMatch(new RegExp(`^  ${name} .*\\w`, 'm'));
    expect(text.split('\n').filter((line) => line.length > 80 && !line.includes('_KEY='))).toEqual([]);
  });

  it.each(Object.keys(commands))('%s has an example and exit codes, in 80 columns', async (name) => {
    const text = await helpOf(name);
    expect(text).toMatch(new RegExp(`^Usage: cts-conformance ${name}\\b`));
    expect(text).toMatch(/Examples?:\n(?: {2}.*\n)*? {2}.*cts-conformance/);
    expect(text).toMatch(/Exit codes:\n {2}0 {2}/);
    // An example is one line, so that it can be copied.
    const lines = text.replace(/Examples?:\n(?: {2}.*\n)+/, '').split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('of a run names every setting that has a flag or a variable', async () => {
    const text = await helpOf('run');
    for (const { variable = 'CTS_' } of describedSettings) expect(text).toContain(variable);
    for (const { flag = 'seed' } of describedSettings)
      expect(text).toMatch(new RegExp(`^  --(?:no-)?${flag}\\b`, 'm'));
  });
});
