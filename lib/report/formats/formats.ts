import type { Lines } from '../../engine/evidence/lines.ts';
import type { Report } from '../../schemas/report.ts';
import type { ExtraReport } from '../../settings/values.ts';

/** A file that is rendered from a report. */
interface Format {
  readonly name: string;
  /** The name by which `--report` asks for it; default: every run writes it. */
  readonly extra?: ExtraReport;
  /** Whether a report has this file; default: always. */
  readonly isFor?: (report: Report) => boolean;
  /** Loads the renderer, which is not needed before there is a report. */
  readonly load: () => Promise<Renderer>;
}

/**
 * Renders files of a run, so that they can be rendered again.
 * @param out folder of the reports, for the commands that name a file in it
 * @param evidence the lines of `evidence.ndjson`, if there is one
 * @returns text, or a value for JSON
 */
type Renderer = (report: Report, out: string, evidence: Lines) => string | object;

/** All files that a run can render. */
export const formats: readonly Format[] = [
  {
    name: 'index.html',
    load: async () => {
      const { pageLines, reportPage } = await import('../page/page.ts');
      return (report, out, evidence) => reportPage(report, pageLines(evidence), out);
    },
  },
  { name: 'junit.xml', load: async () => (await import('./test-results.ts')).junitXml },
  { name: 'summary.md', load: async () => (await import('./summary.ts')).summaryMarkdown },
  {
    name: 'badge.json',
    // A badge is about the whole interface.
    isFor: ({ run }) => run.only === undefined && run.shard === undefined,
    load: async () => (await import('./badge.ts')).badgeOf,
  },
  { extra: 'har', name: 'evidence.har', load: async () => (await import('./har.ts')).harOf },
  { extra: 'ctrf', name: 'ctrf.json', load: async () => (await import('./test-results.ts')).ctrfOf },
];
