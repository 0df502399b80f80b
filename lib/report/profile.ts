import { failsRun, hasNoVerdict } from '../verdict/verdict.ts';
import { isOfWaiver } from '../verdict/waivers.ts';
import { dayOf } from '../schemas/profile.ts';
import type { Profile, Waiver } from '../schemas/profile.ts';
import type { Report } from '../schemas/report.ts';
import { clipped, printable, quantity, printableJson } from '../target/output/printable.ts';
import { expectedAndGot } from './finding-in-words.ts';
import type { Guard } from './guard.ts';
import { writeWhole } from './folder.ts';

/**
 * Writes a profile with the observed answers, and remarks for the person who reviews it.
 * @returns what was written, for the screen
 */
export async function writeProfile(
  { questions, suite, target, run }: Report,
  path: string,
  guard: Guard,
): Promise<string> {
  const answered = questions.filter(({ answer }) => answer !== undefined);
  if (answered.length === 0) return 'No profile was written: no question was answered';
  const profile = {
    ...(target.name === undefined ? {} : { name: target.name }),
    about: {
      '': `Observed by ${suite.name} ${suite.version} at ${target.baseUrl} on ${run.startedAt.slice(0, 10)}. Remove each answer that the target need not keep; a list allows several values, {"min": 1, "max": 9} a range, {"schema": {…}} what a JSON Schema allows.`,
      ...Object.fromEntries(
        answered.map(({ id, section, question, cases }) => [
          id,
          `${question} (section ${section}; ${quantity(cases, 'response')})`,
        ]),
      ),
    },
    answers: Object.fromEntries(answered.map(({ id, answer }) => [id, answer])),
    waivers: [],
  };
  await writeWhole(path, guard('the profile', printableJson(profile)));
  return `Wrote a profile with ${quantity(answered.length, 'answer')} to ${printable(path)}; review it, then run with --profile`;
}

/** Days that a new waiver has by default. */
const TERM = 90;

/**
 * Writes the given profile, or a new one, with a waiver for each failure. Its owner is left empty, so that the profile
 * is rejected until somebody has filled it in. Waivers that are no longer needed are left out.
 * @returns what was written, for the screen
 */
export async function writeWaivers(
  { requirements, run, target }: Report,
  profile: Profile | undefined,
  path: string,
  guard: Guard,
): Promise<string> {
  const failures = requirements.filter(
    (one) => !isOfWaiver(one) && (one.verdict === 'known' || failsRun(one, run.strict)),
  );
  if (failures.length === 0) return 'No waivers were written: nothing fails';
  // Where nothing was judged, a waiver may still be needed.
  const mayBeUsed = (id: string): boolean =>
    requirements.some((one) => one.id === id && (one.verdict === 'waived' || hasNoVerdict(one)));
  const until = dayOf(new Date(Date.parse(run.startedAt) + TERM * 86_400_000));
  const { name } = target;
  const whole = {
    ...(name !== undefined && !target.embedded && { name }),
    answers: {},
    ...profile,
    waivers: [
      ...(profile?.waivers ?? []).filter(({ requirement }) => mayBeUsed(requirement)),
      ...failures.map((failed): Waiver => ({
        requirement: failed.id,
        reason: clipped(
          failed.cause?.text ?? expectedAndGot(failed) ?? failed.reason ?? failed.statement,
          300,
        ),
        owner: '',
        until,
      })),
    ],
  };
  await writeWhole(path, guard('the waivers', printableJson(whole)));
  return `Wrote a profile with ${quantity(failures.length, 'new waiver')} to ${printable(path)}; fill in each owner, review reasons and dates, then run with --profile`;
}
