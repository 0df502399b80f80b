import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../schemas/report.ts';
import { hostileText } from '../inert.testing.ts';
import { brokenRequirement, sampleQuestion, sampleReport, sampleRequirement } from '../sample.testing.ts';
import { summaryMarkdown } from './summary.ts';

/** As GitHub reads it, before it takes anything out. */
const rendered = (markdown: string): string =>
  micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
  });

/** A report with the given text wherever text of the target can occur. */
const reportWith = (text: string): Report =>
  sampleReport(
    [
      brokenRequirement(text),
      brokenRequirement(text, { id: 'http.date', level: 'should', verdict: 'warn', reason: text }),
      brokenRequirement(text, { id: 'waived', verdict: 'waived', reason: text }),
      sampleRequirement({ id: 'reasoned', verdict: 'fail', reason: text }),
      sampleRequirement({ id: 'untested', verdict: 'untested', reason: text }),
      sampleRequirement({ id: 'inconclusive', verdict: 'inconclusive', reason: text }),
    ],
    {
      target: { baseUrl: `https://staging.example.com/${text}`, name: text },
      run: { stopped: text },
      baseline: {
        startedAt: text,
        version: text,
        baseUrl: text,
        known: [],
        new: ['customer.name.echoed'],
        fixed: [],
      },
      questions: [sampleQuestion(text), sampleQuestion(text, { declared: text, drift: true })],
    },
  );

const inertIn = (markdown: string): void => {
  const html = rendered(markdown);
  const tags = new Set([...html.matchAll(/<([a-z]\w*)/g)].map(([, tag]) => tag));
  for (const tag of tags)
    expect('h2 h4 p ul li br code pre table thead tbody tr th td details summary'.split(' ')).toContain(tag);
  // Whatever GitHub links on its own, it leaves alone in code.
  const outside = html.replaceAll(/<code[^>]*>[^<]*<\/code>/g, '').replaceAll(/<[^>]*>/g, '');
  expect(outside).not.toMatch(/@|#\d|GH-|www\.|https?:|evil|octo/);
  expect(markdown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
};

describe('summary.md', () => {
  it('gives the reason why a run ended early once', () => {
    const reason = 'the target stopped answering';
    const open = sampleRequirement({ verdict: 'inconclusive', reason });
    const ended = sampleReport([open], { verdict: 'inconclusive', run: { stopped: reason } });
    const markdown = summaryMarkdown(ended, 'reports');
    expect(markdown.split(reason)).toHaveLength(2);
    expect(markdown).toContain('- for the reason above: `customer.name.echoed`');
    const failed = sampleReport([brokenRequirement('x')], { run: { stopped: reason } });
    expect(summaryMarkdown(failed, 'reports')).toContain(`Ended early: \`${reason}\`.`);
  });

  it.each(['does-not-conform', 'inconclusive'] as const)(
    'has nothing of the target in it that is more than text (%s)',
    (verdict) => {
      const markdown = summaryMarkdown({ ...reportWith(hostileText), verdict }, 'reports');
      inertIn(markdown);
      for (const word of ['escaped', 'override', 'alert(1)', 'octocat', 'evil.example'])
        expect(markdown).toContain(word);
    },
  );

  it('says of each failure whether it is new since the baseline', () => {
    const baseline = { startedAt: '2026-03-01T12:00:00.000Z', version: '1', baseUrl: 'https://a.example' };
    const failures = [brokenRequirement('x'), brokenRequirement('x', { id: 'expired' })];
    const markdown = summaryMarkdown(
      sampleReport(failures, {
        baseline: { ...baseline, known: ['expired'], new: ['customer.name.echoed'], fixed: [] },
      }),
      'reports',
    );
    expect(markdown).toMatch(/\| `customer\.name\.echoed` .* \| new since the baseline of 2026-03-01 \|\n/);
    expect(markdown).toMatch(/\| `expired` .* \| known from the baseline of 2026-03-01 \|\n/);
    expect(summaryMarkdown(sampleReport(failures), 'reports')).toContain('| Failed cases |\n');
  });

  it.each(['`', '``` x', ' ` ', '~~~', '|', String.raw`\|`, '', ' ', '# x', '\n\n- x', '<b>', ']'])(
    'shows %j as it is, in a code span',
    (text) => {
      const markdown = summaryMarkdown(reportWith(text), 'reports');
      inertIn(markdown);
      const visible = text.replaceAll('\n', '⟨LF⟩').replace('<', '&lt;').replace('>', '&gt;');
      expect(rendered(markdown)).toContain(`got: <code>/name: ${visible}</code>`);
    },
  );

  it('says what a person needs: verdict, statement, expected, got, and the commands', () => {
    const markdown = summaryMarkdown(
      sampleReport([brokenRequirement('"ada"'), sampleRequirement({ id: 'other' })]),
      'reports',
    );
    expect(markdown).toMatch(
      /^## ❌ Does not conform\n\n`https:\/\/staging\.example\.com\/api` does not conform: 1 of 2 requirements of the interface fails\.\n/,
    );
    expect(markdown).toContain(
      '| name equals the submitted name. | `customer.name.echoed` (section 4.1) | `"ada"` | 1 of 10 |',
    );
    expect(markdown.indexOf('| name equals')).toBeLessThan(markdown.indexOf('<details>'));
    expect(markdown).toContain('| required | 1 | 0 | 0 | 0 | 0 | 1 |');
    expect(markdown).toContain('section 4.1: name equals the submitted name.');
    expect(markdown).toContain(
      '- expected: `"Ada", as submitted, not "ada"`\n- got: `/name: "ada"`\\\n  `in 201 "ada"`\n',
    );
    expect(markdown).toMatch(
      /- resend:\n {2}```sh\n {2}curl .*\n {2}```\n- replay:\n {2}```sh\n {2}npx --no-install cts-conformance replay reports\/cases\/customer\.name\.echoed\.json\n {2}```\n/,
    );
  });

  it('shows an example of each warning', () => {
    const warned = brokenRequirement('"ada"', { level: 'should', verdict: 'warn', cases: 200, broken: 10 });
    const markdown = summaryMarkdown(sampleReport([warned], { verdict: 'conforms' }), 'reports');
    expect(markdown).toContain(
      [
        '- `customer.name.echoed` name equals the submitted name. 10 of 200 cases failed; reproduced 3/3',
        '  - sent: `POST https://staging.example.com/api/v1/customers, {"name":"Ada"}`',
        '  - expected: `"Ada", as submitted, not "ada"`',
        '  - got: `/name: "ada", in 201 "ada"`',
      ].join('\n'),
    );
  });

  it('stays below 64 KiB however much is broken, and names what it does not show', () => {
    const long = '😀`|'.repeat(5000);
    const many = Array.from({ length: 120 }, (_, at) =>
      brokenRequirement(long, { id: `broken.${at}`, ...(at >= 60 && { verdict: 'warn' }) }),
    );
    const questions = Array.from({ length: 42 }, () => sampleQuestion(long, { declared: long, drift: true }));
    const answers = Array.from({ length: 42 }, () => sampleQuestion(long));
    const markdown = summaryMarkdown(
      sampleReport(many, { questions: [...questions, ...answers] }),
      'reports',
    );
    expect(Buffer.byteLength(markdown)).toBeLessThan(65_536);
    expect(markdown).toContain('#### `broken.0`');
    expect(markdown).not.toContain('#### `broken.59`');
    expect(markdown).toContain('`broken.59`');
    inertIn(markdown);
  });
});
