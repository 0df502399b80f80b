import type { Cause } from './cause.ts';
import {
  affixRules,
  formRules,
  generalRules,
  partRules,
  rules,
  schemeRules,
  textRules,
} from './credential-rules.ts';
import {
  anyOf,
  earlierKey,
  exemptions,
  otherMediaType,
  rulesBesideHeader,
  targetRules,
  traitRules,
} from './exemptions.ts';
import { bearerIn } from './presented.ts';
import type { Hypothesis, Presented } from './presented.ts';

/** The narrowest rule that explains which requests without the exact key were accepted; undefined if there is none. */
export function causeOfAccepted(requests: readonly Presented[], key: string): Cause | undefined {
  const accepted = requests.filter((request) => request.accepted);
  // If the key itself was accepted, which a service may issue as a token, nothing is wrong with the comparison.
  if (accepted.length === 0 || accepted.some((request) => bearerIn(request) === key)) return undefined;
  const statuses = new Set(accepted.map(({ status }) => status));
  if ([...statuses].every((status) => status >= 400))
    return {
      id: 'result-in-rejection',
      text: `requests are rejected with ${[...statuses].join(' and ')}, but the response carries the result`,
      next: 'Authenticate a request before its handler runs, and send nothing but the error.',
    };
  const telling = requests.filter((request) => request.accepted || isForCredential(request));
  // With another status, a rejection may be for one of the conditions.
  const usual = new Set(telling.map(({ accepted, status }) => (accepted ? undefined : status)));
  const alike = requests.filter(({ accepted, status }) => accepted || usual.has(status));
  const inFull = alike.map((request) => ({
    ...request,
    conditions: [...request.conditions, ...(request.inherited ?? [])],
  }));
  const explains = (judged: readonly Presented[]) => (rule: Hypothesis) =>
    judged.every((request) => rule.accepts(request, key) === request.accepted);
  const affixes = affixRules(accepted, key);
  const areSigns = affixes.every(({ areSigns }) => areSigns);
  const rule =
    [
      ...(areSigns ? affixes : []),
      // If each credential contains the key, what is beside it matters, not the case of the scheme.
      ...rules.filter(({ cause }) => affixes.length === 0 || cause.id !== 'scheme-case'),
      ...rulesBesideHeader,
      ...schemeRules(accepted, key),
      ...(areSigns ? [] : affixes),
      ...textRules(accepted, key),
      ...partRules(telling, key),
      ...generalRules,
      ...formRules(accepted),
    ].find(explains(telling)) ??
    [...exemptions(alike), ...targetRules(accepted), ...anyOf(alike), otherMediaType].find(explains(alike)) ??
    // Of a single request, its input may be any.
    (accepted.length > 1 ? [...exemptions(inFull), ...anyOf(inFull)].find(explains(inFull)) : undefined) ??
    traitRules(alike).find(explains(alike));
  if (rule === undefined && accepted.every(({ isStored }) => isStored)) return STORED;
  return rule?.cause ?? earlierKey(alike);
}

const STORED: Cause = {
  id: 'stored-response',
  text: 'the stored response to an earlier request with the key is sent again',
  next: 'Check the credential before you look into a cache, or a table of repeated requests; RFC 9111, section 3.5, states what a cache may store.',
};

/**
 * Whether a request was rejected for its only credential: a 401 says so, and if nothing else is unusual, it must be that.
 * One after another spelling of Bearer, with white space in it, to another path, or with a target in absolute form, may be
 * rejected for that.
 */
const isForCredential = (request: Presented): boolean =>
  (/^Bearer \S/.test(request.authorization ?? '') || !/^bearer +\S/i.test(request.authorization ?? '')) &&
  request.conditions.every(({ part }) => !['second credential', 'path', 'target'].includes(part)) &&
  !/\s/.test(bearerIn(request) ?? '') &&
  (request.status === 401 || request.conditions.length === 0);
