import { describe, expect, it } from 'vitest';
import { diffPage } from './diff-page.ts';
import type { Compared } from './diff-page.ts';
import { diffHeadline, diffText } from './diff-text.ts';
import { changes, diffOf } from './diff.ts';
import type { Change } from './diff.ts';
import { readReport } from './read.ts';
import type { FindingVerdict } from '../schemas/case.ts';
import type { Json } from '../schemas/json.ts';
import type { Level, Report, ReportedQuestion } from '../schemas/report.ts';
import { brokenRequirement, sampleQuestion, sampleReport, sampleRequirement } from './sample.testing.ts';
import { fileWith } from '../selftest/files.ts';

type Verdicts = Readonly<Record<string, FindingVerdict>>;

const of = (verdicts: Verdicts, level: Level = 'must'): Report =>
  sampleReport(Object.entries(verdicts).map(([id, verdict]) => sampleRequirement({ id, verdict, level })));

describe('a diff of requirements', () => {
  it.each<[before: FindingVerdict | undefined, after: FindingVerdict | undefined, Change | undefined]>([
    ['pass', 'fail', 'broken'],
    ['untested', 'fail', 'broken'],
    ['waived', 'fail', 'broken'],
    [undefined, 'fail', 'broken'],
    ['fail', 'pass', 'fixed'],
    ['waived', 'pass', 'fixed'],
    ['pass', 'untested', 'newlyUntested'],
    ['fail', 'inconclusive', 'newlyUntested'],
    ['untested', 'pass', 'newlyTested'],
    ['fail', 'waived', 'newlyWaived'],
    ['pass', undefined, 'removed'],
    ['fail', undefined, 'removed'],
    [undefined, 'pass', 'added'],
    [undefined, 'untested', 'added'],
    ['pass', 'pass', undefined],
    ['fail', 'fail', undefined],
    ['untested', 'inconclusive', undefined],
  ])('counts a requirement that was %s, and now is %s, as %s', (before, after, expected) => {
    const diff = diffOf(of(before ? { a: before } : {}), of(after ? { a: after } : {}));
    expect(changes.filter((change) => diff[change].length > 0)).toEqual(expected ? [expected] : []);
    expect(diff.isWorse).toBe(expected === 'broken');
  });

  it('is inconclusive where the new run is, unless something is worse', () => {
    const before = of({ a: 'pass', b: 'pass' });
    const untested = diffOf(before, { ...of({ a: 'untested', b: 'pass' }), verdict: 'inconclusive' });
    expect(diffHeadline(untested)).toEqual({
      word: 'INCONCLUSIVE',
      verdict: 'inconclusive',
      text: 'the new run has no verdict; 1 no longer tested',
    });
    // As in a run of a selection.
    const selected = diffOf(before, of({ a: 'untested', b: 'pass' }));
    expect(diffHeadline(selected)).toMatchObject({ word: 'INCONCLUSIVE', text: '1 no longer tested' });
    const broken = diffOf(before, { ...of({ a: 'untested', b: 'fail' }), verdict: 'inconclusive' });
    expect(diffHeadline(broken).word).toBe('WORSE');
  });

  it('counts a recommendation as worse only if the new run is strict', () => {
    const [good, bad] = [of({ a: 'pass' }, 'should'), of({ a: 'warn' }, 'should')];
    expect(diffOf(good, bad)).toMatchObject({ newlyWarned: [{ id: 'a' }], broken: [], isWorse: false });
    expect(diffOf(good, { ...bad, run: { ...bad.run, strict: true } }).isWorse).toBe(true);
  });
});

describe('a diff of answers', () => {
  const asked = (answer: Json, more: Partial<ReportedQuestion> = {}): ReportedQuestion =>
    sampleQuestion('', { id: 'q', answer, ...more });
  const answered = (...given: Parameters<typeof asked>): Report =>
    sampleReport([], { questions: [asked(...given)] });

  it('shows another answer as drift, as worse only if the answer is declared', () => {
    const before = answered({ a: 1, b: [2] });
    expect(diffOf(before, answered({ b: [2], a: 1 })).drifted).toEqual([]);
    const drifted = diffOf(before, answered({ a: 1, b: [3] }));
    expect(drifted).toMatchObject({ drifted: [{ id: 'q', contradictsProfile: false }], isWorse: false });
    expect(diffOf(before, answered(2, { declared: 1, drift: true })).isWorse).toBe(true);
  });

  it('shows drift from the profile once', () => {
    const questions = [asked(2, { declared: 1, drift: true })];
    const after = { ...of({ q: 'fail' }, 'declared'), questions };
    expect(diffOf(answered(1), after)).toMatchObject({ broken: [], drifted: [{ contradictsProfile: true }] });
    const waived = { ...of({ q: 'waived' }, 'declared'), questions };
    expect(diffOf(answered(1), waived).isWorse).toBe(false);
  });

  it('lists questions that only one report answers', () => {
    const { answer: _, ...open } = asked(1);
    const diff = diffOf(answered(1), sampleReport([], { questions: [open] }));
    expect(diff).toMatchObject({ unanswered: ['q'], answered: [], drifted: [], isWorse: false });
  });
});

describe('a diff of latencies', () => {
  const taking = (p50: number, p90: number, count: number): Report =>
    sampleReport([], { run: { latency: { 'POST /v1/customers': { count, p50, p90, p99: p90 } } } });

  it.each<[title: string, before: Parameters<typeof taking>, after: Parameters<typeof taking>, boolean]>([
    ['the median is above the former p90, by half and by 10 ms', [100, 140, 20], [151, 300, 20], true],
    ['the median is within what was usual', [100, 180, 99], [170, 300, 99], false],
    ['it is less than half as long again', [100, 110, 99], [140, 150, 99], false],
    ['it is a few milliseconds', [2, 3, 99], [9, 12, 99], false],
    ['there are too few requests', [100, 140, 19], [500, 600, 19], false],
  ])('compares them with the noise of a busy machine: %s', (_, before, after, isSlower) => {
    const { slower, isWorse } = diffOf(taking(...before), taking(...after));
    expect(slower.length).toBe(isSlower ? 1 : 0);
    expect(isWorse).toBe(false);
  });

  it('ignores a report without latencies', () => {
    expect(diffOf(sampleReport([]), taking(900, 1000, 99)).slower).toEqual([]);
  });
});

/** A report in a folder, with a page there or without one. */
const at = (one: Report, page?: string): Compared => ({ report: one, out: 'later', page });

describe('a diff as a page', () => {
  const status = sampleQuestion('', { id: 'status', question: 'Which status?', answer: 201 });
  const members = sampleQuestion('', { id: 'members', answer: { '/id': 'string' } });
  const before: Report = {
    ...of({ 'was.right': 'pass', 'was.wrong': 'fail' }),
    verdict: 'conforms',
    questions: [status, members],
  };
  const after = sampleReport(
    [
      brokenRequirement('y', { id: 'was.right' }),
      sampleRequirement({ id: 'was.wrong', verdict: 'pass' }),
      brokenRequirement('observed 200', { id: 'status', level: 'declared' }),
    ],
    {
      questions: [
        { ...status, answer: 200, declared: 201, drift: true },
        { ...members, answer: { '/number': 'string' } },
      ],
    },
  );
  const page = (one = after, other = before): string =>
    diffPage(at(other, 'a b/index.html'), at(one, 'later/index.html')).replaceAll(/\s+/g, ' ');

  it('shows both verdicts, each with its report, and the result in a word', () => {
    expect(page()).toContain('</span> Worse</h1> <p class="sentence">1 broken, 1 fixed, 2 changed.</p>');
    expect(page()).toMatch(/Old<\/dt>.+ Conforms<\/strong > <a href="a%20b\/index.html">Report/);
    expect(page()).toMatch(/New<\/dt>.+ Does not conform<\/strong > <a href="later\/index.html">Report/);
    const better = of({ 'was.right': 'pass', 'was.wrong': 'pass' });
    expect(page(better, before)).toMatch(/<header class="pass">.+ Not worse<\/h1>/);
    expect(page(after, after)).toContain('<p class="sentence">No verdict and no answer differs.</p>');
  });

  it('has each change under its heading, and opens the first failure, as the page of its run has it', () => {
    const [, broken = '', fixed = ''] = page().split('class="chapter"');
    expect(broken).toMatch(/id="broken">.+<details class="fail" open.+>was pass<.+<b>Judged<\/b>/);
    expect(broken).toContain('href="later/index.html#was.right">In the report of the run</a>');
    expect(broken).toContain('cts-conformance replay later/cases/was.right.json');
    expect(fixed).toMatch(/id="fixed">.+<details class="pass" >.+>was fail</);
  });

  it('puts answers side by side, and explains the one that is not as declared', () => {
    const answers = page().split('id="drifted">')[1]!;
    expect(answers).toMatch(/<details class="fail".+observed 200.+Which status\?/);
    expect(answers).toMatch(/Old<\/dt> <dd><code>201<.+New<\/dt> <dd><code>200<\/code> \(not as declared\)/);
    expect(answers).toMatch(/Old<\/dt>.+\/id.+New<\/dt>.+\/number/);
  });
});

describe('a diff that is shown', () => {
  it('fits 80 columns unless a word is longer', () => {
    const one = of({ a: 'pass', 'customer.name.echoed': 'fail', c: 'pass' });
    const other = sampleReport([
      sampleRequirement({ id: 'a', verdict: 'fail', reason: 'many words '.repeat(40) }),
      sampleRequirement({ id: 'customer.name.echoed', verdict: 'pass' }),
    ]);
    const text = diffText(diffOf(one, other));
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(text).toMatch(/\nWORSE {2}1 broken, 1 fixed, 1 removed\n$/);
  });

  it('gives a reason that several requirements share once', () => {
    const reason = 'the target stopped answering';
    const open = (id: string) => sampleRequirement({ id, verdict: 'inconclusive', reason });
    const [before, after] = [
      of({ a: 'pass', b: 'pass', c: 'pass' }),
      sampleReport([open('a'), open('b'), open('c')]),
    ];
    const text = diffText(diffOf(before, after));
    expect(text.split(reason)).toHaveLength(2);
    expect(text.match(/because {3}\(as above\)$/gm)).toHaveLength(2);
    // It stands above, too, as the reason why the run ended early.
    const stopped = { ...after, run: { ...after.run, stopped: reason } };
    const early = diffText(diffOf(before, stopped));
    expect(early).toContain(`The new run ended early: ${reason}.`);
    expect(early.split(reason)).toHaveLength(2);
  });

  it('names the targets and the seeds', () => {
    const seeds = diffText(diffOf(of({}), sampleReport([], { run: { seed: 2 } })));
    expect(seeds).toContain('The seeds differ');
    expect(seeds).not.toContain('The targets differ');
    const targets = sampleReport([], { target: { baseUrl: 'https://other.example' } });
    expect(diffText(diffOf(of({}), targets))).toContain('The targets differ; the inputs are the same');
  });
});

describe('a file that is not a report', () => {
  it.each([
    ['{', 'not JSON'],
    ['[]', 'expected object'],
    [{ schemaVersion: 2 }, '/schemaVersion: expected 1, the schema version that this suite reads'],
    [
      `{"schemaVersion": 1, "questions": [{ "answer": ${'['.repeat(9_000)}${']'.repeat(9_000)} }]}`,
      'nested too deeply',
    ],
  ])('is rejected with its name', (content, message) => {
    const path = fileWith(content);
    expect(() => readReport(path)).toThrow(path);
    expect(() => readReport(path)).toThrow(message);
  });

  it('is rejected if an id occurs twice, because one would be hidden', () => {
    const path = fileWith(sampleReport([sampleRequirement(), sampleRequirement({ verdict: 'fail' })]));
    expect(() => readReport(path)).toThrow('each id once');
  });
});
