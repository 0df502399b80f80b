import type { EvidenceLine } from '../../experiment/evidence.ts';

/**
 * The lines of `evidence.ndjson`, without the fields and bodies that no picture shows: one after the other,
 * as those of a target that sends much would fill the memory. The lines are this very run's, and need no check.
 */
export function picturedIn(evidence: string): EvidenceLine[] {
  const lines: EvidenceLine[] = [];
  for (let start = 0; start < evidence.length;) {
    const end = evidence.indexOf('\n', start);
    const line = JSON.parse(evidence.slice(start, end === -1 ? undefined : end)) as EvidenceLine;
    if (line.type !== 'answer') lines.push(line.type === 'exchange' ? bare(line) : line);
    start = end === -1 ? evidence.length : end + 1;
  }
  return lines;
}

const bare = (line: EvidenceLine & { type: 'exchange' }): EvidenceLine => ({
  ...line,
  request: { ...line.request, headers: [], body: '' },
  response: { ...line.response, headers: {}, body: '' },
  reply: { utf8: true },
});
