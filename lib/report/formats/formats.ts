import type { Lines } from '../../engine/lines.ts';
import type { Report } from '../../schemas/report.ts';
import type { ExtraReport } from '../../settings/settings.ts';

/** All that a rendering is made from: it can be made again from the files of a run. */
export interface Material {
  readonly report: Report;
  /** The lines of `evidence.ndjson`; undefined: there is none. */
  readonly evidence: Lines | undefined;
  /** Folder of the reports, for the lines that name a file in it. */
  readonly out: string;
}

/** Makes a text, or a value to be written as JSON. */
type Render = (material: Material) => string | object;

/** A file that is made from a report. */
export interface Format {
  readonly name: string;
  /** Loads its code, which is not needed before there is a report. */
  readonly load: () => Promise<Render>;
}

/** Made of every run. */
export const formats: readonly Format[] = [
  {
    name: 'index.html',
    load: async () => {
      const [{ reportPage }, { picturedIn }] = await Promise.all([
        import('../page/page.ts'),
        import('../page/pictured.ts'),
      ]);
      return ({ report, evidence, out }) =>
        reportPage(report, evidence === undefined ? [] : picturedIn(evidence), out);
    },
  },
  {
    name: 'junit.xml',
    load: async () => {
      const { junitXml } = await import('../junit.ts');
      return ({ report, out }) => junitXml(report, out);
    },
  },
  {
    name: 'summary.md',
    load: async () => {
      const { summaryMarkdown } = await import('./summary.ts');
      return ({ report, out }) => summaryMarkdown(report, out);
    },
  },
  {
    name: 'badge.json',
    load: async () => {
      const { badgeOf } = await import('./badge.ts');
      return ({ report }) => badgeOf(report);
    },
  },
];

/** Made where `--report` names them. */
export const extraFormats: Readonly<Record<ExtraReport, Format>> = {
  har: {
    name: 'evidence.har',
    load: async () => (await import('./har.ts')).harOf,
  },
  ctrf: {
    name: 'ctrf.json',
    load: async () => {
      const { ctrfOf } = await import('./ctrf.ts');
      return ({ report, out }) => ctrfOf(report, out);
    },
  },
};

/** Those of a run, with the ones that it asks for. */
export const formatsWith = (extra: readonly ExtraReport[]): Format[] => [
  ...formats,
  ...extra.map((name) => extraFormats[name]),
];
