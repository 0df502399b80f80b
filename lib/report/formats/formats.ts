import type { Lines } from '../../engine/evidence/lines.ts';
import type { Report } from '../../schemas/report.ts';
import type { ExtraReport } from '../../settings/values.ts';
import { isRequired } from '../../verdict/verdict.ts';

/** A file that is rendered from a report. */
interface Format {
  readonly name: string;
  /** The name by which `--report` asks for it; default: every run writes it. */
  readonly extra?: ExtraReport;
  /** Whether there is one for a report; default: always. */
  readonly isFor?: (report: Report) => boolean;
  /** Loads the renderer, which is not needed before there is a report. */
  readonly load: () => Promise<Renderer>;
}

/**
 * Renders files of a run, so that they can be rendered again.
 * @param out folder of the reports, for the commands that name a file in it
 * @param evidence the lines of `evidence.ndjson`; undefined if there is none
 * @returns text, or a value for JSON
 */
type Renderer = (report: Report, out: string, evidence: Lines | undefined) => string | object;

/** All files that a run can render. */
export const formats: readonly Format[] = [
  {
    name: 'index.html',
    load: async () => {
      const { pageLines, reportPage } = await import('../page/page.ts');
      return (report, out, evidence) => reportPage(report, pageLines(evidence ?? []), out);
    },
  },
  { name: 'junit.xml', load: async () => (await import('./junit.ts')).junitXml },
  { name: 'summary.md', load: async () => (await import('./summary.ts')).summaryMarkdown },
  {
    name: 'badge.json',
    // A badge is about the whole interface.
    isFor: ({ run }) => run.only === undefined,
    load: async () => badgeOf,
  },
  { extra: 'har', name: 'evidence.har', load: async () => (await import('./har.ts')).harOf },
  { extra: 'ctrf', name: 'ctrf.json', load: async () => (await import('./tests.ts')).ctrfOf },
];

/** The formats of a run, with those that it asks for. */
export const formatsWith = (asked: readonly ExtraReport[]): Format[] =>
  formats.filter(({ extra }) => extra === undefined || asked.includes(extra));

/** An endpoint badge of shields.io. */
interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
  /** Keeps the colour from being overridden. */
  readonly isError?: true;
}

/** The verdict as a badge. It contains no text of the target. */
export function badgeOf({ verdict, requirements, target }: Report): Badge {
  const label = target.embedded ? 'reference service' : 'interface';
  const required = requirements.filter(isRequired);
  const count = (name: 'fail' | 'waived'): number =>
    required.filter((requirement) => requirement.verdict === name).length;
  const base = { schemaVersion: 1, label } as const;
  if (verdict === 'inconclusive') return { ...base, message: verdict, color: 'lightgrey', isError: true };
  if (verdict === 'does-not-conform') {
    const failed = count('fail');
    const message = failed === 0 ? 'recommendation not followed' : `${failed} of ${required.length} fail`;
    return { ...base, message, color: 'red', isError: true };
  }
  if (verdict === 'no-new-failures') {
    const known = requirements.filter((requirement) => requirement.verdict === 'known').length;
    return { ...base, message: `${known} known to fail`, color: 'orange', isError: true };
  }
  const waived = count('waived');
  return waived === 0
    ? { ...base, message: 'conforms', color: 'brightgreen' }
    : { ...base, message: `conforms, ${waived} waived`, color: 'yellow' };
}
