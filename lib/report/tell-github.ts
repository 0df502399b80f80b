import type { Guard } from './guard.ts';
import type { Report } from '../schemas/report.ts';

/**
 * Shows a run where GitHub shows it: a summary with the job, annotations for what is broken. Does nothing elsewhere.
 * @param environment `GITHUB_ACTIONS` and `GITHUB_STEP_SUMMARY` count
 * @returns lines for the screen: commands for GitHub's runner, and what could not be done
 */
export async function tellGithub(
  report: Report,
  out: string,
  guard: Guard,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const { GITHUB_ACTIONS: isRunner, GITHUB_STEP_SUMMARY: path } = environment;
  if (isRunner !== 'true' && !path) return '';
  const { annotationsOf, appendSummary } = await import('./formats/github.ts');
  const annotations = isRunner === 'true' ? guard('the annotations', annotationsOf(report, out)) : '';
  if (!path) return annotations;
  const { summaryMarkdown } = await import('./formats/summary.ts');
  const problem = await appendSummary(path, guard('the summary', summaryMarkdown(report, out)));
  return problem === undefined ? annotations : `${annotations}${problem}\n`;
}
