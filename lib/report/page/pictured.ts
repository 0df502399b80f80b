import type { EvidenceLine } from '../../schemas/evidence.ts';
import type { Lines } from '../../engine/lines.ts';

/**
 * What pictures show of the lines of `evidence.ndjson`, without fields and bodies: those of a target that sends
 * much would fill the memory. The lines are this very run's, and need no check.
 */
export function picturedIn(evidence: Lines): EvidenceLine[] {
  const lines: EvidenceLine[] = [];
  for (const text of evidence) {
    // Of a long run; its ids may be a million.
    if (text.startsWith('{"type":"counted"')) continue;
    const line = JSON.parse(text) as EvidenceLine;
    if (line.type !== 'answer') lines.push(line.type === 'exchange' ? bare(line) : line);
  }
  return lines;
}

const bare = (line: EvidenceLine & { type: 'exchange' }): EvidenceLine => ({
  ...line,
  request: { ...line.request, headers: [], body: '' },
  response: { ...line.response, headers: {}, body: '' },
  reply: { utf8: true },
});
