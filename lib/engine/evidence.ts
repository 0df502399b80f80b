import { UsageError } from '../settings/settings.ts';
import { evidenceLine } from '../schemas/evidence.ts';
import type { EvidenceLine } from '../schemas/evidence.ts';
import type { Lines } from './lines.ts';

/**
 * Reads the lines of `evidence.ndjson`.
 * @param name of the file, for messages
 * @throws {UsageError} which names the first invalid line
 */
export function parseEvidence(text: Lines, name: string): EvidenceLine[] {
  const lines = [...text].filter((line) => line !== '');
  if (lines.length === 0)
    throw new UsageError(`${name}: the file is empty; expected the evidence.ndjson of a run`);
  return lines.map((line, at) => {
    const value = parsed(line);
    const result = evidenceLine.safeParse(value);
    // The value itself: members that a scenario adds are not in the schema.
    if (result.success) return value as EvidenceLine;
    const place = result.error.issues[0]!.path.join('.') || 'type';
    throw new UsageError(
      `${name}: line ${at + 1} is not evidence (${place}); expected the evidence.ndjson of a run`,
    );
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
