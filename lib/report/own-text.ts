import { failureText } from '../engine/failure-text.ts';
import type { OwnFinding } from '../engine/finding.ts';
import { printable } from '../target/printable.ts';

/** A failure of somebody's own suite in words. A replay knows the suites of the interface alone. */
export const ownFailureText = (finding: OwnFinding, out: string): string =>
  failureText({ section: '', ...finding, ...named(finding) }, out)
    .split('\n')
    .filter((line) => !line.startsWith('  replay '))
    .join('\n');

/** What somebody has written, or called a file, may hold anything. */
export const named = ({
  id,
  source,
  statement,
}: OwnFinding): Pick<OwnFinding, 'id' | 'source' | 'statement'> => ({
  id: printable(id),
  source: printable(source),
  statement: printable(statement),
});
