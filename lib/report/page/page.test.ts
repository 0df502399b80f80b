import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../suites/catalogue.ts';
import type { Answer } from '../../engine/answers/answer.ts';
import { readSettings } from '../../settings/sources.ts';
import { makeReport } from '../model.ts';
import type { Finding, Report } from '../../schemas/report.ts';
import { sectionsOf } from '../order.ts';
import { sampleCounterexample, sampleExchange, sampleReport, sampleRequirement } from '../sample.testing.ts';
import { html } from './html.ts';
import { reportPage } from './page.ts';

/** A report in which everything that can come from a target is one text. */
function reportWith(text: string): Report {
  const broken: Finding = {
    id: 'customer.name.echoed',
    verdict: 'fail',
    reason: text,
    cases: 9,
    accepted: 9,
    broken: 2,
    inFlight: 1,
    counterexample: sampleCounterexample(text),
  };
  const answers: Answer[] = [
    { id: 'customer.state', answer: text, exchanges: [sampleExchange(text)], cases: 1 },
    { id: 'error.body', answer: { [text]: [text, { [text]: text }] }, exchanges: [], cases: 1 },
    {
      id: 'customer.create.status',
      answer: 200,
      declared: 201,
      drift: true,
      exchanges: [sampleExchange(text)],
      cases: 1,
      curl: 'curl',
    },
    { id: 'limits.fields', reason: text, exchanges: [], cases: 0 },
  ];
  const answered = { 'customer.create.status': 201 };
  const waiver = { requirement: 'http.date', reason: text, owner: text, until: '2999-01-01' };
  const settings = { ...readSettings({}), baseUrl: 'https://a.example', apiKey: '', embedded: false };
  return makeReport(
    {
      settings: { ...settings, profile: { name: text, answers: answered, waivers: [waiver] } },
      startedAt: new Date(0),
      durationMs: 1234,
      findings: [broken],
      ended: {
        answers,
        customers: { requested: 0, accepted: 0 },
        created: { runId: text, customers: [text] },
        cases: 170,
        evidence: undefined,
        traffic: { ...NOTHING_SENT, openedAt: 0, stopped: undefined, stopCause: undefined, latency: {} },
      },
      stopCause: undefined,
      defects: [],
      custom: [],
      only: undefined,
    },
    catalogue,
  );
}

const NOTHING_SENT = {
  requests: 0,
  retries: 0,
  peak: 0,
  limit: 0,
  throttled: 0,
  waited: 0,
  outages: 0,
  unavailable: 0,
  unwaited: 0,
};

const evidenceOf = (text: string): Parameters<typeof reportPage>[1] => [
  { type: 'exchange', ...sampleExchange(text), reply: { utf8: true } },
  {
    type: 'observation',
    exchange: 7,
    observation: {
      case: { scenario: 'wide customers', index: 0, category: `${text} | ${text}`, input: text },
      accepted: false,
    },
  },
];

describe('the outline of the page', () => {
  const report = reportWith('plain');
  const page = reportPage(report, []);

  it('has every requirement and every question once, each with its anchor', () => {
    const ids = [...catalogue.requirements, ...catalogue.questions].map(({ id }) => id);
    const times = (id: string): number => page.split(` id="${id}"`).length - 1;
    expect(ids.filter((id) => times(id) !== 1)).toEqual([]);
  });

  it('puts what failed before the sections, the most severe first, and the first of few is open', () => {
    const order = [
      'id="failures"',
      'id="customer.name.echoed"',
      'id="overview"',
      'id="section-1"',
      'id="questions"',
    ];
    const positions = order.map((text) => page.indexOf(text));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    expect(page.match(/<details\s+class="fail"\s+open/g)).toHaveLength(1);
  });

  it('quotes the sentence that each requirement was read from', () => {
    const text = page.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'name equals the submitted name. Stated in section 4.1: “string, equals the submitted name”',
    );
    expect(text).toContain('Recommended by RFC 9110, section 5.1: “Field names are case-insensitive”');
  });

  it('puts requirements into the outline of the interface, and those without a section under the profile', () => {
    const waived = report.requirements.find(({ level }) => level === 'declared');
    const stray = { ...waived!, id: 'waiver.http.date', section: 'of the profile' };
    const sections = sectionsOf([...report.requirements, stray]);
    expect(sections.flatMap(({ requirements }) => requirements)).toHaveLength(report.requirements.length + 1);
    const { title, requirements } = sections.at(-1)!;
    expect([title, requirements.map(({ id }) => id)]).toEqual(['The profile', ['waiver.http.date']]);
  });
});

it('an entry leaves the reason to the headline that gives it, until it is opened', () => {
  const reason = 'the target stopped answering';
  const open = (id: string, why: string, cases: number) =>
    sampleRequirement({ id, verdict: 'inconclusive', reason: why, cases, accepted: cases });
  const requirements = [
    open('customer.id.form', reason, 5),
    open('customer.id.new', reason, 0),
    open('token.body.json', 'another', 3),
  ];
  const page = reportPage(
    sampleReport(requirements, { verdict: 'inconclusive', run: { stopped: reason } }),
    [],
  );
  const remarks = [...page.matchAll(/<span class="remark">([^<]*)</g)].map(([, text]) => text);
  expect(remarks).toEqual(['0 of 5 cases failed', '0 of 3 cases failed; another']);
  expect(page).not.toContain('Ended early');
});

/** A sentence on a page, and the chapter that it stands in. */
interface Shown {
  readonly chapter: string;
  /** As markup, without that of code. */
  readonly text: string;
  /** What stands below it, as markup. */
  readonly below: string;
}

const sentencesOn = (page: string): Shown[] =>
  page.split('<section ').flatMap((part) => {
    const [, chapter = ''] = /aria-labelledby="([^"]+)"/.exec(part) ?? [];
    const [, block = ''] = /<details class="more sentences">([^]*?)<\/details>/.exec(part) ?? [];
    return [...block.matchAll(/<li>([^]*?)(<p>[^]*?)<\/li>/g)].map(([, text, below]) => ({
      chapter,
      text: text!.replaceAll(/<\/?code>/g, '').trim(),
      below: below!.replaceAll(/\s+/g, ' '),
    }));
  });

describe('the sentences of the interface on the page', () => {
  const report = reportWith('plain');
  const page = reportPage(report, []);
  const markupOf = (text: string): string =>
    html`${text.replaceAll('`', '').replaceAll(/^\| | \|$/g, '')}`.toString();
  const below = (text: string, on = page): string | undefined =>
    sentencesOn(on).find((one) => one.text === markupOf(text))?.below;

  it('stand in their sections, with links to their requirements and questions, or the reason for neither', () => {
    const hasChapter = (section: string): boolean => page.includes(`id="section-${section}"`);
    const [own, others] = [true, false].map((is) =>
      catalogue.sentences.filter(({ section }) => hasChapter(section) === is),
    );
    expect(others!.map(({ section }) => section)).toEqual(expect.arrayContaining(['0', '3', '8']));
    const shown = sentencesOn(page).map(({ chapter, text, below }) => ({
      chapter,
      text,
      links: [...below.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!).toSorted(),
      reason: /Neither: ([^<]+)/.exec(below)?.[1],
    }));
    expect(shown).toEqual(
      [...own!, ...others!].map(({ section, text, tested, asked, reason }) => ({
        chapter: hasChapter(section) ? `section-${section}` : 'other-sections',
        text: markupOf(text),
        links: [...tested, ...asked].toSorted(),
        reason,
      })),
    );
    const links = shown.flatMap(({ links }) => links);
    expect(links.filter((id) => !page.includes(` id="${id}"`))).toEqual([]);
  });

  it('have the verdicts of their requirements, and of questions that the profile answers', () => {
    expect(below('| name | string, equals the submitted name |')).toMatch(
      /^<p>\s*Requirements: <span class="badge fail"[^]*customer\.name\.echoed/,
    );
    expect(below('HTTP success status code: not shown.')).toMatch(
      /Questions: <a href="#response\.fields">.+; <span class="badge fail".+#customer\.create\.status/,
    );
  });

  it('are counted, each once', () => {
    expect(page).toContain('15 sentences of section 4.1: 14 with a requirement, 1 with only a question');
    const counts = [...page.matchAll(/(\d+) sentences? of [^:]+: ([^<]+)</g)];
    expect(counts).not.toEqual([]);
    for (const [, all, kinds] of counts) {
      const sum = kinds!.match(/\d+(?= with)/g)!.reduce((total, count) => total + Number(count), 0);
      expect(sum).toBe(Number(all));
    }
  });

  it('are shown without a link to what the report does not contain', () => {
    const text = '| id | string, form `cus_<customer_id>` |';
    const requirements = report.requirements.filter(({ id }) => id !== 'customer.id.form');
    const without = below(text, reportPage({ ...report, requirements }, []));
    expect(below(text)).toContain('href="#customer.id.form"');
    expect(without).toContain('not in this report: customer.id.form');
    expect(without).not.toContain('href');
  });
});

describe('the page', () => {
  it('is rendered without evidence', () => {
    expect(reportPage(reportWith('plain'), [])).toContain('there is no evidence of a response');
  });

  it('lists warnings with their examples before the sections, unless they count as failures', () => {
    const report = reportWith('plain');
    const requirements = report.requirements.map((one) =>
      one.id === 'customer.name.echoed'
        ? { ...one, level: 'should' as const, verdict: 'warn' as const }
        : one,
    );
    const isStrict = (strict: boolean): string =>
      reportPage({ ...report, requirements, run: { ...report.run, strict } }, []);
    expect(isStrict(false)).toMatch(/Recommendations not followed[\s\S]+got plain/);
    // There it is a failure.
    expect(isStrict(true)).not.toContain('Recommendations not followed');
  });

  it('says how many failures are new since the baseline, and marks each as new or known', () => {
    const report = reportWith('plain');
    const comparedWith = (known: string[], fresh: string[]): string =>
      reportPage(
        {
          ...report,
          baseline: {
            startedAt: '2026-03-01T12:00:00.000Z',
            version: '0.1.0',
            baseUrl: 'https://a.example',
            known,
            new: fresh,
            fixed: [],
          },
        },
        [],
      );
    const failed = 'customer.name.echoed';
    const page = comparedWith(['customer.create.status'], [failed]);
    expect(page).toContain(
      'Baseline of 2026-03-01, without an end date (--baseline-until sets one): 1 known, 1 new, 0 fixed.',
    );
    const noteOf = (id: string, on: string): string | undefined =>
      new RegExp(`<code>${id}</code>\\s+<span class="level">[^]*?class="note">(.*?)<`).exec(on)?.[1];
    expect(noteOf(failed, page)).toBe('new since the baseline of 2026-03-01');
    expect(noteOf('customer.create.status', page)).toBe('known from the baseline of 2026-03-01');
    // Without a baseline nothing is new.
    expect(reportPage(report, [])).not.toContain('class="note"');
  });

  it('links a failed case to its exchange, and back', () => {
    const report = reportWith('plain');
    const requirements = report.requirements.map((one) =>
      one.id === 'customer.name.echoed'
        ? {
            ...one,
            failedCases: [7, 8].map((number) => ({
              exchange: number,
              scenario: 's',
              category: 'quotes',
              actual: 'x',
            })),
          }
        : one,
    );
    const page = reportPage({ ...report, requirements }, evidenceOf('plain')).replaceAll(/\s+/g, ' ');
    expect(page).toContain('<a href="#exchange-7">exchange 7</a>');
    expect(page).toContain('exchange 8 in evidence.ndjson');
    expect(page).toMatch(/id="exchange-7".+Fails <a href="#customer.name.echoed">/);
  });

  it('allows its own style and script by their hashes, and nothing else', () => {
    const page = reportPage(reportWith('plain'), evidenceOf('plain'));
    const [, policy] = /Security-Policy"\s+content="([^"]+)"/.exec(page)!;
    for (const name of ['style', 'script']) {
      const [, text] = new RegExp(`<${name}[^>]*>(.*?)</${name}>`, 's').exec(page)!;
      const hash = createHash('sha256').update(text!).digest('base64');
      expect(policy).toContain(`${name}-src &#39;sha256-${hash}&#39;`);
    }
    expect(policy).toContain('default-src &#39;none&#39;');
    expect(policy).not.toContain('unsafe');
  });

  it('stays small: a long body is truncated, with its length', () => {
    const page = reportPage(reportWith('x'.repeat(30_000)), evidenceOf('x'.repeat(30_000)));
    expect(page).toContain('more code points');
    expect(page.length).toBeLessThan(500_000);
  });
});
