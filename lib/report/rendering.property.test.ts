import fc from 'fast-check';
import { parse, parseFragment } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { SaxesParser } from 'saxes';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { replayScreen } from '../cli/replay.ts';
import type { EvidenceLine } from '../schemas/evidence.ts';
import type { Report } from '../schemas/report.ts';
import { failureText } from '../engine/judging/failure-text.ts';
import { diffPage } from './diff-page.ts';
import type { Compared } from './diff-page.ts';
import { diffJson, diffMarkdown, diffText } from './diff-text.ts';
import { diffOf } from './diff.ts';
import { html, pageText } from './page/html.ts';
import { summaryMarkdown } from './formats/summary.ts';
import { junitXml } from './formats/test-results.ts';
import { screenOf } from './screen.ts';
import { matrixPage } from './matrix-page.ts';
import { matrixMarkdown, matrixOf, matrixText } from './matrix.ts';
import { reportPage } from './page/page.ts';
import { flawsOfFile, flawsOfHtml, flawsOfJson, flawsOfScreen, flawsOfXml } from './inert.testing.ts';
import { anyReport, anyText } from './any-report.testing.ts';
import { printableJson } from '../target/output/printable.ts';

afterEach(() => void vi.unstubAllEnvs());

/** Evidence of the exchanges of a report, each with an observation. */
const evidenceOf = ({ requirements, questions }: Report, text: string): EvidenceLine[] =>
  [
    ...requirements.flatMap(({ counterexample }) => counterexample?.exchanges ?? []),
    ...questions.flatMap(({ exchanges }) => exchanges),
  ].flatMap((exchange) => [
    { type: 'exchange', ...exchange, reply: { utf8: true } },
    {
      type: 'observation',
      exchange: exchange.number,
      observation: {
        case: { scenario: 'wide customers', index: 0, category: `${text} | ${text}`, input: text },
        accepted: false,
      },
    },
  ]);

describe('any report', () => {
  it('is well-formed, inert XML, with a test case for each requirement', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const xml = junitXml(report, 'reports');
        expect(flawsOfXml(xml)).toEqual([]);
        const counts: Record<string, number> = {};
        const parser = new SaxesParser();
        parser.on('opentag', ({ name }) => void (counts[name] = (counts[name] ?? 0) + 1));
        parser.write(xml).close();
        // One more for the verdict of the run.
        expect(counts['testcase']! - report.requirements.length - (report.custom ?? []).length).toBeOneOf([
          0, 1,
        ]);
      }),
    );
  });

  it('is JSON that parses to the same value and is safe to print', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const text = printableJson(report);
        expect(flawsOfJson(text)).toEqual([]);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(report));
      }),
    );
  });

  it('is an inert page, with any evidence', () => {
    fc.assert(
      fc.property(anyReport, anyText, (report, text) => {
        expect(flawsOfHtml(reportPage(report, evidenceOf(report, text)))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('is inert Markdown', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        expect(flawsOfFile('summary.md', summaryMarkdown(report, 'reports'))).toEqual([]);
      }),
    );
  });

  it('is inert text on the screen, with its failures and their replays', () => {
    vi.stubEnv('FORCE_COLOR', '0');
    fc.assert(
      fc.property(anyReport, (report) => {
        for (const verbosity of ['quiet', 'normal', 'verbose'] as const)
          expect(
            flawsOfScreen(screenOf(report, { out: 'reports', stream: process.stdout, verbosity })),
          ).toEqual([]);
        for (const requirement of report.requirements) {
          expect(flawsOfScreen(failureText(requirement, 'reports'))).toEqual([]);
          expect(flawsOfScreen(replayScreen(report, requirement, REPLAYED))).toEqual([]);
        }
      }),
    );
  });
});

const REPLAYED = {
  file: 'x.json',
  requirement: 'x',
  scenarios: [],
  category: '',
  inputs: [],
  reproduced: '3/3',
};

describe('any two reports', () => {
  it('differ in an inert page, text and Markdown, and in JSON', () => {
    vi.stubEnv('FORCE_COLOR', '0');
    const at = (report: Report): Compared => ({ report, out: 'reports', page: undefined });
    fc.assert(
      fc.property(anyReport, anyReport, (old, now) => {
        const diff = diffOf(old, now);
        expect(flawsOfHtml(diffPage(at(old), at(now)))).toEqual([]);
        expect(flawsOfScreen(diffText(diff))).toEqual([]);
        expect(flawsOfFile('diff.md', diffMarkdown(diff))).toEqual([]);
        expect(flawsOfJson(diffJson(diff))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('are an inert matrix, as a page, text and Markdown', () => {
    vi.stubEnv('FORCE_COLOR', '0');
    fc.assert(
      fc.property(fc.tuple(anyReport, anyReport), (both) => {
        const matrix = matrixOf(both);
        expect(flawsOfHtml(matrixPage(matrix))).toEqual([]);
        expect(flawsOfScreen(matrixText(matrix))).toEqual([]);
        expect(flawsOfFile('matrix.md', matrixMarkdown(matrix))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('markup', () => {
  const page = (text: string): string =>
    pageText(
      html`<p title="${text}" class="${text}">${text}</p>
        <textarea>${[text]}</textarea>`,
    );

  it('contains interpolated values as text only', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const fragment = parseFragment(page(text));
        // Characters that HTML forbids are replaced, and invisible ones.
        const kept = text
          .toWellFormed()
          .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\uFDD0-\uFDEF\uFFFE\uFFFF]/gu, '\uFFFD');
        const [paragraph, area, ...more] = fragment.childNodes.filter(
          ({ nodeName }) => nodeName !== '#text',
        ) as DefaultTreeAdapterTypes.Element[];
        expect(more).toEqual([]);
        const valueOf = ({ childNodes }: DefaultTreeAdapterTypes.Element): string =>
          childNodes.map((node) => (node as DefaultTreeAdapterTypes.TextNode).value).join('');
        expect(paragraph!.attrs.map(({ name }) => name)).toEqual(['title', 'class']);
        for (const { value } of paragraph!.attrs) expect(value).toBe(kept);
        expect(valueOf(paragraph!)).toBe(kept);
        // A line feed at its beginning is the markup's (HTML, section 13.2.6.4.7).
        expect(valueOf(area!)).toBe(kept.replace(/^\n/, ''));
      }),
      { numRuns: 500 },
    );
  });

  it('would be reported with a script in it', () => {
    expect(flawsOfHtml('<p onclick=x><script></script>')).toEqual([
      'an attribute onclick',
      'an element script',
    ]);
    expect(flawsOfHtml(page('<script>'))).toEqual([]);
    expect(parse(page('x')).childNodes.length).toBeGreaterThan(0);
  });
});
