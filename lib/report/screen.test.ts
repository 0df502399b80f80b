import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { screenOf } from './screen.ts';
import type { Settings } from '../settings/run-settings.ts';
import { brokenRequirement, sampleQuestion, sampleReport, sampleRequirement } from './sample.testing.ts';

const streamThat = (isTTY: boolean): NodeJS.WriteStream =>
  Object.assign(new PassThrough(), { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream;
const pipe = streamThat(false);
const terminal = streamThat(true);

const report = sampleReport([
  sampleRequirement({ id: 'customer.id.form' }),
  brokenRequirement('customer.name.echoed'),
  sampleRequirement({
    id: 'http.date',
    level: 'should',
    verdict: 'warn',
    broken: 2,
    reason: `a reason of ${'many words '.repeat(20)}`,
  }),
]);

const { answer: _, ...unanswered } = sampleQuestion('x', {
  id: 'limits.fields',
  reason: 'not asked; add --profile FILE',
});

const screen = (verbosity: Settings['verbosity'], stream = pipe): string =>
  screenOf(report, { out: 'reports', page: 'reports/index.html', stream, verbosity });

describe('the screen', () => {
  it('shows what passes as a line a section, unless it is quiet, and each requirement if it is verbose', () => {
    expect(screen('normal')).toMatch(/^ {2}4\.1 {2}Create a customer {2}1 fail, 1 warn, 1 pass$/m);
    expect(screen('normal')).not.toContain('customer.id.form');
    expect(screen('quiet')).not.toMatch(/Create a customer|customer\.id\.form/);
    expect(screen('verbose')).toMatch(/pass {2}customer\.id\.form/);
    for (const verbosity of ['quiet', 'normal', 'verbose'] as const) {
      expect(screen(verbosity)).toMatch(/^customer\.name\.echoed \(section 4\.1\): /m);
      expect(screen(verbosity)).toContain('  replay    npx --no-install cts-conformance replay');
      expect(screen(verbosity).trim().split('\n').at(-1)).toContain('reports/index.html');
    }
  });

  it('shows failures before the rest, and what was asked and was not', () => {
    const asked = { ...report, questions: [sampleQuestion('x'), unanswered] };
    const text = screenOf(asked, { out: 'reports', stream: pipe, verbosity: 'normal' });
    const order = [
      'customer.name.echoed (section',
      'http.date: ',
      'Sections of',
      '1 of 2 questions',
      '1 without an answer: not asked',
    ];
    const positions = order.map((part) => text.indexOf(part));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  });

  it('gives a reason that several requirements share once, whole, with what to do', () => {
    const reason = `the target does not answer clients that ${'send too many wrong keys '.repeat(5)}; raise that limit`;
    const open = (id: string, cases: number, why = reason) =>
      sampleRequirement({
        id,
        verdict: cases === 0 ? 'untested' : 'inconclusive',
        reason: why,
        cases,
        accepted: cases,
      });
    const requirements = [
      open('auth.customers.key.required', 12),
      open('auth.customers.key.exact', 10),
      open('auth.tokens.key.exact', 0),
      open('customer.id.form', 10, 'another'),
    ];
    const text = screenOf(sampleReport(requirements), { out: 'reports', stream: pipe, verbosity: 'verbose' });
    const listed = text
      .split('\n')
      .flatMap((line) => /^ {2}(?:inconclusive|untested) +\S+ +(.*)$/.exec(line)?.slice(1) ?? []);
    expect(listed).toEqual([
      `0 of 12 cases failed; ${reason}`,
      '0 of 10 cases failed; (as above)',
      '(as above)',
      '0 of 10 cases failed; another',
    ]);
  });

  it('breaks no word of its own at the edge of a terminal, and no line to copy', () => {
    const next = 'Compare without case where that is needed, but keep the text as it was submitted.';
    const failed = brokenRequirement('x', {
      problem: `name differs from the submitted name ${'in many ways '.repeat(5)}`.trim(),
      cause: { id: 'case', text: 'lower-cased', next },
    });
    const showing = { out: `reports/${'long/'.repeat(20)}`, verbosity: 'normal' } as const;
    const lines = screenOf(sampleReport([failed]), { ...showing, stream: terminal }).split('\n');
    const long = lines.filter((line) => stripVTControlCharacters(line).length > 80);
    expect(long).toEqual([
      expect.stringMatching(/^ {2}resend {4}curl .* # x$/),
      expect.stringMatching(/^ {2}replay {4}npx .*\.json$/),
    ]);
    expect(screenOf(sampleReport([failed]), { ...showing, stream: pipe })).toContain(`            ${next}\n`);
  });

  it.each(['does-not-conform', 'inconclusive'] as const)(
    'gives the reason why a run ended early once, after the rest, if it %s',
    (verdict) => {
      const reason = 'the target stopped answering: connection refused';
      const open = (id: string) => sampleRequirement({ id, verdict: 'inconclusive', reason, cases: 5 });
      const requirements = [
        ...(verdict === 'inconclusive' ? [] : [brokenRequirement('x')]),
        open('customer.id.form'),
        open('customer.id.new'),
        sampleRequirement({ id: 'http.date', level: 'should', verdict: 'warn' }),
      ];
      const ended = sampleReport(requirements, { verdict, run: { stopped: reason } });
      const text = screenOf(ended, { out: 'reports', stream: pipe, verbosity: 'normal' });
      expect(text.match(/; \(see below\)$/gm)).toHaveLength(2);
      expect(text.split(reason)).toHaveLength(2);
    },
  );

  it('lists what the profile declares and the run could not test', () => {
    const open = {
      id: 'token.life.ended',
      level: 'declared',
      verdict: 'inconclusive',
      optional: true,
    } as const;
    const text = screenOf(sampleReport([sampleRequirement(), sampleRequirement(open)]), {
      out: 'reports',
      stream: pipe,
      verbosity: 'normal',
    });
    expect(text).toMatch(/^ {2}inconclusive {2}token\.life\.ended/m);
    expect(text).toMatch(/^ {2}declared +1 inconclusive$/m);
  });

  it('shows warnings in full only if it is verbose', () => {
    expect(screen('normal')).not.toContain('http.date (');
    expect(screen('verbose')).toContain('http.date (');
  });

  it('shows an example of each warning, in brief, after the failures and before the summary', () => {
    const warned = sampleReport(
      [
        brokenRequirement('\u001B[2J\n::error::##[error]', {
          id: 'input.wide.answered',
          level: 'should',
          verdict: 'warn',
          cases: 200,
          broken: 10,
        }),
        sampleRequirement({
          id: 'input.malformed.answered',
          level: 'should',
          verdict: 'warn',
          cases: 8,
          broken: 3,
          reason: 'no reply to 3 inputs\n::error::',
        }),
        brokenRequirement('x'),
      ],
      { run: { strict: false } },
    );
    const showing = { out: 'reports', stream: pipe };
    const lines = (verbosity: Settings['verbosity']): string[] =>
      screenOf(warned, { ...showing, verbosity }).split('\n');
    const normal = lines('normal');
    const from = normal.indexOf('Recommendations not followed');
    const escaped = '⟨ESC⟩[2J⟨LF⟩::error::⟨U+0023⟩#[error]';
    expect(normal.slice(from + 1, from + 6)).toEqual([
      'input.wide.answered: 10 of 200 cases failed; reproduced 3/3',
      '  sent      POST https://staging.example.com/api/v1/customers, {"name":"Ada"}',
      `  expected  "Ada", as submitted, not ${escaped}`,
      `  got       /name: ${escaped}, in 201 ${escaped}`,
      'input.malformed.answered: 3 of 8 cases failed; no reply to 3 inputs⟨LF⟩::error::',
    ]);
    expect(from).toBeGreaterThan(normal.findIndex((line) => line.startsWith('customer.name.echoed (')));
    expect(lines('verdict')).toContain('input.wide.answered: 10 of 200 cases failed; reproduced 3/3');
    // In full already.
    expect(lines('verbose')).not.toContain('Recommendations not followed');
    const quiet = lines('quiet');
    expect(quiet).not.toContain('Recommendations not followed');
    expect(quiet).toContainEqual(
      expect.stringMatching(/^  warn  input\.wide\.answered +10 of 200 cases failed/),
    );
  });

  it('says where the command of a failure is, if it is too long to be shown', () => {
    const broken = brokenRequirement('x');
    const counterexample = { ...broken.counterexample!, curl: 'x'.repeat(2000) };
    const long = screenOf(sampleReport([{ ...broken, counterexample }]), {
      out: 'reports',
      stream: pipe,
      verbosity: 'normal',
    });
    expect(long).toContain('  resend    too long; see reports/cases/customer.name.echoed.json');
  });

  it('wraps lines for a terminal, not for a pipe', () => {
    const longest = (text: string): number =>
      Math.max(
        ...text
          .split('\n')
          .filter((line) => line.includes('many words'))
          .map(stripVTControlCharacters)
          .map(({ length }) => length),
      );
    expect(longest(screen('normal', terminal))).toBeLessThanOrEqual(80);
    expect(longest(screen('normal'))).toBeGreaterThan(80);
  });
});
