import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, inject, it } from 'vitest';
import { execute, filesIn } from '../command.ts';
import { succeed } from './set-up.ts';

const { tarball, folder } = inject('packed');
const installed = join(folder, 'node_modules/cts-conformance');

/** The files that belong into the package. */
const expected = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|\.env\.example)$/,
  // Linked by the README.
  /^(?:lib|reports|suites)\/README\.md$/,
  /^lib\/library\/example(?:\.suite)?\.ts$/,
  /^\.github\/(?:examples\/[a-z-]+\.(?:yml|sh)|report\.png|faults\.svg)$/,
  /^lib\/cli\/bin\.js$/,
  /^dist\/schemas\/(?:profile|targets|conformance|evidence|case)\.schema\.json$/,
  /^lib\/reference\/tls\/(?:authority|server|server-key)\.pem$/,
  /^lib\/report\/page\/(?:style\/[a-z]+\.css|script\.js)$/,
  /^dist\/(?:lib\/cli\/(?:main|global-setup)|lib\/library\/index|suites\/[a-z-]+\.test)\.js$/,
  /^dist\/chunks\/[a-z-]+\d?\.js$/,
  /^dist\/(?:lib\/(?:causes|engine|inputs|library|schemas|settings|target)(?:\/[a-z]+)?|suites)\/[a-z-]+\.d\.ts$/,
];

describe('the tarball', () => {
  it('contains only the expected files, and some of each kind', async () => {
    const { stdout } = await succeed('tar', ['-tzf', tarball], folder);
    const files = stdout.trim().split('\n');
    const names = files.map((path) => path.replace(/^package\//, ''));
    expect(names.filter((name) => !expected.some((pattern) => pattern.test(name)))).toEqual([]);
    for (const pattern of expected)
      expect(
        names.some((name) => pattern.test(name)),
        `${pattern}`,
      ).toBe(true);
  });

  it('passes publint', async () => {
    const { buffer } = new Uint8Array(readFileSync(tarball));
    const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('contains no path of the machine that built it', () => {
    const texts = filesIn(installed).map((path) => readFileSync(path, 'utf8'));
    expect(texts.length).toBeGreaterThan(20);
    for (const text of texts) expect(text).not.toContain(process.cwd());
  });
});

describe('the guides in the package', () => {
  it.each(['README.md', 'lib/README.md', 'reports/README.md', 'suites/README.md', 'CHANGELOG.md'])(
    'have every picture and every file that they lead to, except for sources: %s',
    (name) => {
      const text = readFileSync(join(installed, name), 'utf8');
      const files = [...text.matchAll(/\]\((?!https?:)([^)#\s]+\.\w+)/g)].map(([, path]) => path!);
      const missing = files.filter(
        (path) => !path.endsWith('.ts') && !existsSync(join(installed, dirname(name), path)),
      );
      expect(missing).toEqual([]);
    },
  );
});

/** The options of strict projects. Without `skipLibCheck`, declarations of dependencies are checked too. */
const STRICTEST = [
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--noPropertyAccessFromIndexSignature',
  '--noImplicitOverride',
  '--isolatedModules',
  '--verbatimModuleSyntax',
  '--erasableSyntaxOnly',
];

describe('the library entry, installed', () => {
  const program = `
    import { catalogue, customers, defineTarget } from 'cts-conformance';
    import type { CustomerRequest, DefinedTarget, TokenOutcome } from 'cts-conformance';
    const target: DefinedTarget = defineTarget({ baseUrl: 'http://127.0.0.1:9', apiKey: 'sk_test_x' });
    const ids: readonly string[] = catalogue.requirements.map(({ id }) => id);
    const made: Promise<boolean> = target.createCustomer({ name: 'Ada', email: 'a@example.com' }).then(({ accepted }) => accepted);
    // @ts-expect-error -- an unknown option: fails only if there are types.
    defineTarget({ url: '' });
    export { customers, ids, made };
    export type { CustomerRequest, TokenOutcome };
  `;

  it.each(['nodenext', 'bundler'])('has types that resolve with moduleResolution %s', async (resolution) => {
    const file = join(folder, `types-${resolution}.mts`);
    writeFileSync(file, program);
    const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
    const module = resolution === 'nodenext' ? 'nodenext' : 'esnext';
    const { code, stdout } = await execute(
      process.execPath,
      [compiler, '--noEmit', '--target', 'es2024', '--module', module, ...STRICTEST]
        .concat(['--moduleResolution', resolution])
        .concat(['--typeRoots', join(import.meta.dirname, '../../../node_modules/@types'), file]),
      { cwd: folder },
    );
    expect([code, stdout]).toEqual([0, '']);
  });
});
