import type { Report } from '../../schemas/report.ts';

/** What the endpoint badge of shields.io reads. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
  /** Keeps whoever shows the badge from giving it another colour. */
  readonly isError?: true;
}

/** The verdict as a badge. It has nothing of the target's in it. */
export function badgeOf({ verdict, requirements, target }: Report): Badge {
  const label = target.embedded ? 'reference service' : 'interface';
  const required = requirements.filter(({ level, optional }) => level !== 'should' && !optional);
  const failed = required.filter((requirement) => requirement.verdict === 'fail').length;
  const waived = required.filter((requirement) => requirement.verdict === 'waived').length;
  const base = { schemaVersion: 1, label } as const;
  if (verdict === 'inconclusive') return { ...base, message: verdict, color: 'lightgrey', isError: true };
  if (verdict === 'does-not-conform') {
    const message = failed === 0 ? 'advice not followed' : `${failed} of ${required.length} broken`;
    return { ...base, message, color: 'red', isError: true };
  }
  return waived === 0
    ? { ...base, message: 'conforms', color: 'brightgreen' }
    : { ...base, message: `conforms, ${waived} waived`, color: 'yellow' };
}
