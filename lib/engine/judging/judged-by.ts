import type { TargetSettings } from '../../settings/run-settings.ts';
import type { JudgedBy, Observation } from '../observation.ts';
import type { Requirement } from '../requirement.ts';

/** Whether a requirement judges an observation. */
export const appliesTo = (
  requirement: Requirement,
  observation: Observation,
  settings: TargetSettings,
): boolean =>
  observation.judgedBefore
    ? observation.judgedBefore.judged.includes(requirement.id)
    : (observation.exchange.reply.part === undefined || requirement.judgesPart?.(observation) === true) &&
      (requirement.only?.(observation) ?? true) &&
      (requirement.restsOn ?? []).every((other) => !isBrokenBy(other, observation, settings));

export const failsCheck = (
  requirement: Requirement,
  observation: Observation,
  settings: TargetSettings,
): boolean =>
  observation.judgedBefore
    ? observation.judgedBefore.breaks.includes(requirement.id)
    : requirement.check?.(observation, settings) !== undefined;

/** Whether a requirement judges an observation, which breaks it. */
export const isBrokenBy = (
  requirement: Requirement,
  observation: Observation,
  settings: TargetSettings,
): boolean => appliesTo(requirement, observation, settings) && failsCheck(requirement, observation, settings);

/** The requirements that judge an observation, and those that it breaks. */
export function judgedBy(
  requirements: readonly Requirement[],
  observation: Observation,
  settings: TargetSettings,
): JudgedBy {
  const judged = requirements.filter(
    (requirement) =>
      requirement.over.some(({ name }) => name === observation.case.scenario) &&
      appliesTo(requirement, observation, settings),
  );
  return {
    judged: judged.map(({ id }) => id),
    breaks: judged.filter((one) => failsCheck(one, observation, settings)).map(({ id }) => id),
  };
}
