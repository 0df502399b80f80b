import { failureText } from '../engine/failure-text.ts';
import type { CustomFinding } from '../schemas/report.ts';
import { printable } from '../target/printable.ts';

/** A failure of somebody's own suite in words. A replay knows the suites of the interface alone. */
export const ownFailureText = (finding: CustomFinding, out: string): string =>
  failureText({ section: '', ...finding, ...named(finding) }, out)
    .split('\n')
    .filter((line) => !line.startsWith('  replay '))
    .join('\n');

/** What somebody has written, or called a file, may hold anything. */
export const named = ({
  id,
  source,
  statement,
}: CustomFinding): Pick<CustomFinding, 'id' | 'source' | 'statement'> => ({
  id: printable(id),
  source: printable(source),
  statement: printable(statement),
});
