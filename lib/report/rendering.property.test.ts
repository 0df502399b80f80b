import fc from 'fast-check';
import { parse, parseFragment } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { SaxesParser } from 'saxes';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Report } from '../schemas/report.ts';
import { shown } from '../target/output/printable.ts';
import { failureText } from '../engine/judging/failure-text.ts';
import { diffPage } from './diff-page.ts';
import type { Compared } from './diff-page.ts';
import { diffOf } from './diff.ts';
import { html, pageText } from './page/html.ts';
import { junitXml } from './formats/junit.ts';
import { screenOf } from './screen.ts';
import { flawsOfHtml, flawsOfJson, flawsOfScreen, flawsOfXml } from './inert.testing.ts';
import { anyReport, anyText } from './any-report.testing.ts';
import { json } from './write.ts';

afterEach(() => void vi.unstubAllEnvs());

const reports = anyReport(anyText.map(shown));

describe('any report', () => {
  it('is well-formed, inert XML, with a test case for each requirement', () => {
    fc.assert(
      fc.property(anyReport(anyText), (report) => {
        const xml = junitXml(report, 'reports');
        expect(flawsOfXml(xml)).toEqual([]);
        const counts: Record<string, number> = {};
        const parser = new SaxesParser();
        parser.on('opentag', ({ name }) => void (counts[name] = (counts[name] ?? 0) + 1));
        parser.write(xml).close();
        // One more for the verdict of the run.
        expect(counts['testcase']! - report.requirements.length - report.custom!.length).toBeOneOf([0, 1]);
      }),
    );
  });

  it('is JSON that parses to the same value and is safe to print', () => {
    fc.assert(
      fc.property(anyReport(anyText), (report) => {
        const text = json(report);
        expect(flawsOfJson(text)).toEqual([]);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(report));
      }),
    );
  });

  it('makes an inert page of what differs from another', () => {
    const at = (report: Report): Compared => ({ report, out: 'reports', page: undefined });
    fc.assert(
      fc.property(reports, reports, (old, now) => {
        expect(flawsOfHtml(diffPage(at(old), at(now), diffOf(old, now)))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('is inert text on the screen', () => {
    vi.stubEnv('FORCE_COLOR', '0');
    fc.assert(
      fc.property(reports, (report) => {
        for (const detail of ['quiet', 'normal', 'verbose'] as const)
          expect(flawsOfScreen(screenOf(report, { out: 'reports', stream: process.stdout, detail }))).toEqual(
            [],
          );
        for (const requirement of report.requirements)
          expect(flawsOfScreen(failureText(requirement, 'reports'))).toEqual([]);
      }),
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
        // Characters that HTML forbids are replaced.
        const kept = text.toWellFormed().replace(/(?!\n|\t)[\p{Cc}]|[\uFDD0-\uFDEF\uFFFE\uFFFF]/gu, '\uFFFD');
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
