import { defineConfig } from 'oxlint';
import type { OxlintOverride } from 'oxlint';

/** Folders of lib/, each of which imports only from those before it. */
const LAYERS = ['settings', 'target', 'inputs', 'verdict', 'engine', 'report', 'cli'];
/** Folders that only tests, and the code that composes a run, import from. */
const APART = ['selftest', 'reference', 'suites'];

/** Keeps folders from importing others. @param why printed with each violation */
const wall = (files: string[], groups: string[], why: string): OxlintOverride => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group: groups, message: why }] }] },
});

/** The same for folders of this project by their names. */
const wallTo = (files: string[], folders: string[], why: string): OxlintOverride =>
  wall(
    files,
    folders.map((folder) => `**/${folder}/**`),
    why,
  );

const within = (folder: string): string[] => [`lib/${folder}/**`];
const after = (layer: string): string[] => LAYERS.slice(LAYERS.indexOf(layer) + 1);

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'vitest', 'oxc', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'import/no-default-export': 'error',
    'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/consistent-return': 'off',
    'import/no-named-as-default-member': 'off',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'oxc/no-map-spread': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/prefer-set-has': 'off',
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
  },
  overrides: [
    {
      files: [
        'vitest.config.ts',
        '.oxlint.config.ts',
        'lib/cli/global-setup.ts',
        'lib/cli/vitest-reporter.ts',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['lib/engine/vitest.ts'],
      rules: { 'vitest/valid-title': 'off' },
    },
    {
      files: ['lib/reference/faults/**', 'lib/causes/**'],
      rules: { 'no-control-regex': 'off' },
    },
    {
      // An observation that a list of scenarios makes any would let a requirement read what no reply has.
      files: ['suites/**', 'lib/engine/**'],
      rules: { 'typescript/no-unsafe-member-access': 'error' },
    },
    {
      files: ['**/*.test.ts'],
      rules: { 'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'fc.assert'] }] },
    },
    ...LAYERS.slice(0, -1).map((layer) =>
      wallTo(
        within(layer),
        [...after(layer), ...APART],
        `Data flows one way: ${LAYERS.join(', ')}. Import only from those before.`,
      ),
    ),
    wallTo(
      within('cli'),
      ['selftest', 'suites'],
      'Only the self-test imports the self-test. Of suites/ the commands know lib/cli/from-suites.ts alone.',
    ),
    wallTo(
      within('openapi'),
      [...after('engine'), ...APART],
      'The document says what the interface states and an operator declares; it knows no run.',
    ),
    wallTo(
      within('library'),
      [...after('engine'), ...APART],
      'The library exports what comes before verdicts; its users make their own reports.',
    ),
    wallTo(
      within('reference'),
      ['target', ...after('inputs'), 'selftest', 'suites'],
      'The reference service knows the interface, not the suite.',
    ),
    wallTo(
      ['suites/**'],
      ['report', 'cli', 'selftest', 'reference'],
      'The suites know a base URL, not what is behind it or what becomes of their findings.',
    ),
    wall(
      [...within('schemas'), ...within('causes')],
      ['../*/**', '**/suites/**'],
      'Schemas and causes are pure: each imports nothing outside its folder.',
    ),
    {
      files: [
        'lib/**/*.test.ts',
        'lib/**/*.testing.ts',
        'lib/cli/browser/**',
        'lib/cli/from-suites.ts',
        'lib/library/index.ts',
      ],
      rules: { 'no-restricted-imports': 'off' },
    },
  ],
});
