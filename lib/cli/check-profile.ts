import type { Profile } from '../schemas/profile.ts';

/**
 * Checks a profile against all requirements and questions, which are loaded only where there is one.
 * @throws {UsageError} before anything is sent
 */
export async function checkProfile(profile: Profile | undefined): Promise<void> {
  if (profile === undefined) return;
  const [declared, { catalogue }] = await Promise.all([
    import('../engine/answers/declared.ts'),
    import('./catalogue.ts'),
  ]);
  declared.checkProfile(profile, catalogue);
}
