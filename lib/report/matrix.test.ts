import { describe, expect, it } from 'vitest';
import { matrixPage } from './matrix-page.ts';
import { matrixMarkdown, matrixText, matrixOf, trendOf } from './matrix.ts';
import type { FindingVerdict } from '../schemas/case.ts';
import type { Report, ReportedRequirement } from '../schemas/report.ts';
import { brokenRequirement, sampleQuestion, sampleReport, sampleRequirement } from './sample.testing.ts';

const requirement = (id: string, verdict: FindingVerdict, more: Partial<ReportedRequirement> = {}) =>
  sampleRequirement({ id, verdict, ...more });

const service = (name: string, ...[requirements, more]: Parameters<typeof sampleReport>): Report =>
  sampleReport(requirements, { target: { baseUrl: 'https://staging.example.com', name }, ...more });

const acme = service(
  'Acme',
  [
    requirement('a', 'pass'),
    requirement('b', 'waived'),
    requirement('life', 'untested', { level: 'declared', optional: true }),
    requirement('recommended', 'warn', { level: 'should' }),
  ],
  { verdict: 'conforms' },
);
const globex = service('Globex', [brokenRequirement('y', { id: 'a' }), requirement('only', 'inconclusive')], {
  questions: [sampleQuestion('', { id: 'q', answer: { status: 201 } })],
});

describe('matrix', () => {
  const matrix = matrixOf([acme, globex]);

  it('has every statement of every report, and counts what is required', () => {
    expect(matrix.rows.map(({ id, cells }) => [id, ...cells.map((cell) => cell?.verdict)])).toEqual([
      ['a', 'pass', 'fail'],
      ['b', 'waived', undefined],
      ['life', 'untested', undefined],
      ['recommended', 'warn', undefined],
      ['only', undefined, 'inconclusive'],
    ]);
    expect(matrix.services.map(({ name, passed, required }) => [name, passed, required])).toEqual([
      ['Acme', 1, 2],
      ['Globex', 0, 2],
    ]);
  });

  it('distinguishes services of one name', () => {
    expect(matrixOf([acme, globex, acme]).services.map(({ name }) => name)).toEqual([
      'Acme (1)',
      'Globex',
      'Acme (2)',
    ]);
  });

  it('is Markdown, a row a statement', () => {
    const lines = matrixMarkdown(matrix).split('\n');
    expect(lines[0]).toBe('# 1 of 2 services conform');
    expect(lines).toContain('| Requirement | Acme | Globex |');
    expect(lines).toContain('| `a` | pass | **fail** |');
    expect(lines).toContain('| `recommended` | warn | – |');
    expect(lines).toContain('| `q` | – | status: 201 |');
  });

  it('names the runs that had a part of the cases, or ended early', () => {
    const shard = service('Shard', [], { run: { shard: { index: 1, count: 4 } } });
    const early = service('Early', [], { run: { stopped: 'the run was interrupted' } });
    const text = matrixText(matrixOf([acme, shard, early]));
    expect(text).toContain('\nRuns that ended early: Early.\n');
    expect(text).toContain('\nRuns that had a part of the cases (--shard): Shard.\n');
  });

  it('leads to the page of each service', () => {
    const linked = matrixOf([acme, globex], ['a b/#1/index.html', undefined]);
    expect(matrixPage(linked)).toContain('<a href="a%20b/%231/index.html">Acme</a>');
    expect(matrixMarkdown(linked)).toContain('| [Acme](<a%20b/%231/index.html>) | conforms |');
    expect(matrixMarkdown(linked)).toContain('| Globex | does not conform |');
  });

  it('is text, with the requirements that do not pass everywhere', () => {
    expect(matrixText(matrixOf([acme, acme]))).not.toMatch(/^ {2}(?:a|life) /m);
    expect(matrixText(matrix).split('\n')).toEqual([
      '1 of 2 services conform',
      '  Acme    conforms          1 of 2  2026-03-01',
      '  Globex  does not conform  0 of 2  2026-03-01',
      '',
      'Required by the interface',
      '               Acme      Globex',
      '  a            pass      fail',
      '  b            waived    –',
      '  only         –         inconclusive',
      '',
      'Recommended by the RFCs that it builds on',
      '               Acme      Globex',
      '  recommended  warn      –',
      '',
      'Declared in the profile',
      '               Acme      Globex',
      '  life         untested  –',
      '',
      '0 requirements pass everywhere, or may go untested',
      '',
    ]);
  });

  it('is a page whose failures lead to what was expected', () => {
    const page = matrixPage(matrix);
    expect(page).toContain('<h1>1 of 2 services conform</h1>');
    expect(page).toMatch(/<a class="cell fail" title="fail" href="#v2-a"/);
    expect(page).toMatch(/<tr class="same">|<tr class="">/);
    expect(page).toMatch(
      /<dt id="v2-a">[^]*expected &quot;Ada&quot;, as submitted, not y; got \/name: y; failed 1 of 10 cases; reproduced 3\/3/,
    );
  });
});

describe('the history of one target', () => {
  const run = (day: number, verdicts: Readonly<Record<string, FindingVerdict>>): Report =>
    service(
      'Acme',
      Object.entries(verdicts).map(([id, verdict]) => requirement(id, verdict)),
      { verdict: 'conforms', run: { startedAt: `2026-03-0${day}T12:00:00.000Z` } },
    );
  const first = run(1, { a: 'pass', b: 'fail', c: 'pass', d: 'pass', e: 'known' });
  const second = run(2, { a: 'pass', b: 'pass', c: 'fail', d: 'fail', e: 'known' });
  const third = run(3, { a: 'pass', b: 'pass', c: 'pass', d: 'fail', e: 'pass' });
  const matrix = matrixOf([third, first, second], ['c/index.html', undefined, 'b/index.html']);

  it('has a column for each run, the oldest first, with its link', () => {
    expect(matrix.services.map(({ name, page }) => [name, page])).toEqual([
      ['2026-03-01 12:00', undefined],
      ['2026-03-02 12:00', 'b/index.html'],
      ['2026-03-03 12:00', 'c/index.html'],
    ]);
  });

  it('marks what is new, fixed or flaky', () => {
    expect(matrix.rows.map((row) => [row.id, trendOf(row)])).toEqual([
      ['a', undefined],
      ['b', 'fixed'],
      ['c', 'flaky'],
      ['d', 'new'],
      ['e', 'fixed'],
    ]);
    expect(matrixPage(matrix)).toMatch(/<h1>3 runs of one target<\/h1>[^]*<a href="b\/index.html">/);
    expect(matrixText(matrix)).toMatch(/^3 runs of one target\n/);
    expect(matrixText(matrix)).toMatch(/\n {2}b +fail +pass +pass +fixed\n {2}c +pass +fail +pass +flaky\n/);
    expect(matrixMarkdown(matrix)).toMatch(/^# 3 runs of one target\n/);
    expect(matrixMarkdown(matrix)).toContain('\n| `d` | pass | **fail** | **fail** | new |\n');
  });
});
