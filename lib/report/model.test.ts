import { expect, it } from 'vitest';
import type { ReportedRequirement } from '../schemas/report.ts';
import { overallResults } from './model.ts';

const circumstances = { isVoid: false, strict: false, isSelection: false, stopCause: undefined };

const result = (one: Partial<ReportedRequirement>): ReportedRequirement =>
  ({ level: 'must', verdict: 'fail', ...one }) as ReportedRequirement;

const cause = { id: 'page', text: 'a page is returned in place of JSON', next: '', explains: 1, of: 1 };
const warned = result({ id: 'http.date', level: 'should', verdict: 'warn', cause });

const causesOf = (...requirements: ReportedRequirement[]): (readonly string[])[] =>
  (overallResults(requirements, circumstances, undefined).causes ?? []).map(
    ({ requirements: explained }) => explained,
  );

it('the cause of a recommendation that is not followed is not shown as that of a failure', () => {
  expect(causesOf(warned)).toEqual([['http.date']]);
  expect(causesOf(warned, result({ id: 'customer.name.echoed' }))).toEqual([]);
  expect(causesOf(warned, result({ id: 'json.utf8', cause }))).toEqual([['json.utf8', 'http.date']]);
});
