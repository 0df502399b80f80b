import type { Report } from '../model.ts';
import type { ExtraReport } from '../../settings/settings.ts';

/** All that a rendering is made from: it can be made again from the files of a run. */
export interface Material {
  readonly report: Report;
  /** The text of `evidence.ndjson`; undefined: there is none. */
  readonly evidence: string | undefined;
  /** Folder of the reports, for the lines that name a file in it. */
  readonly out: string;
}

/** A file that is made from a report. Its code is loaded only at the end of a run. */
export interface Format {
  readonly name: string;
  /** A text, or a value to be written as JSON. */
  readonly render: (material: Material) => Promise<string | object>;
}

/** Made of every run. */
export const formats: readonly Format[] = [
  {
    name: 'index.html',
    render: async ({ report, evidence, out }) => {
      const [{ reportPage }, { picturedIn }] = await Promise.all([
        import('../page/page.ts'),
        import('../page/pictured.ts'),
      ]);
      return reportPage(report, evidence === undefined ? [] : picturedIn(evidence), out);
    },
  },
  {
    name: 'junit.xml',
    render: async ({ report, out }) => (await import('../junit.ts')).junitXml(report, out),
  },
  {
    name: 'summary.md',
    render: async ({ report, out }) => (await import('./summary.ts')).summaryMarkdown(report, out),
  },
  {
    name: 'badge.json',
    render: async ({ report }) => (await import('./badge.ts')).badgeOf(report),
  },
];

/** Made where `--report` names them. */
export const extraFormats: Readonly<Record<ExtraReport, Format>> = {
  har: {
    name: 'evidence.har',
    render: async (material) => (await import('./har.ts')).harOf(material),
  },
  ctrf: {
    name: 'ctrf.json',
    render: async ({ report, out }) => (await import('./ctrf.ts')).ctrfOf(report, out),
  },
};
