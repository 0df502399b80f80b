import type { Report } from '../../schemas/report.ts';
import { isRequired } from '../../verdict/verdict.ts';

/**
 * The verdict as an endpoint badge of shields.io, whose `isError` keeps the colour from being overridden. It contains no
 * text from the target.
 */
export function badgeOf({ verdict, requirements, target }: Report) {
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
