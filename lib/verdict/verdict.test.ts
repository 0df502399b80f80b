import { describe, expect, it } from 'vitest';
import { catalogue } from '../../suites/catalogue.ts';
import type { FindingVerdict } from '../schemas/case.ts';
import { exitCodeOf, verdictOf } from './verdict.ts';
import type { Circumstances, JudgedRequirement } from './verdict.ts';

const findings = (changes: Readonly<Record<string, FindingVerdict>> = {}): JudgedRequirement[] =>
  catalogue.requirements.map(({ id, level }) => ({ level, verdict: changes[id] ?? 'pass' }));

const verdict = (
  judged: readonly JudgedRequirement[],
  circumstances: Partial<Circumstances> = {},
): ReturnType<typeof verdictOf> =>
  verdictOf(judged, {
    isVoid: false,
    strict: false,
    isSelection: false,
    stopCause: undefined,
    ...circumstances,
  });

describe('verdictOf', () => {
  it('is conforms only if every required statement was tested and holds', () => {
    expect(verdict(findings())).toBe('conforms');
    expect(verdict([])).toBe('inconclusive');
    expect(verdict(findings({ 'customer.id.new': 'untested' }))).toBe('inconclusive');
    expect(verdict(findings({ 'customer.id.new': 'inconclusive' }))).toBe('inconclusive');
  });

  it('is does-not-conform if one requirement failed, even if others are untested', () => {
    const failed = findings({ 'customer.id.new': 'fail', 'customer.id.form': 'untested' });
    expect(verdict(failed)).toBe('does-not-conform');
    expect(verdict(failed, { isSelection: true })).toBe('does-not-conform');
  });

  it('is inconclusive if the results cannot be relied on, whatever they are', () => {
    expect(verdict(findings(), { isVoid: true })).toBe('inconclusive');
    expect(verdict(findings({ 'customer.id.new': 'fail' }), { isVoid: true })).toBe('inconclusive');
  });

  it('is inconclusive if the target was unavailable or the user stopped the run, not if a budget was spent', () => {
    expect(verdict(findings(), { stopCause: 'away' })).toBe('inconclusive');
    expect(verdict(findings(), { stopCause: 'limit' })).toBe('inconclusive');
    expect(verdict(findings(), { stopCause: 'interrupt' })).toBe('inconclusive');
    expect(verdict(findings(), { stopCause: 'budget' })).toBe('conforms');
    expect(verdict(findings(), { stopCause: 'throttled' })).toBe('conforms');
    expect(verdict(findings({ 'customer.id.new': 'untested' }), { stopCause: 'throttled' })).toBe(
      'inconclusive',
    );
    expect(verdict(findings({ 'customer.id.new': 'fail' }), { stopCause: 'away' })).toBe('does-not-conform');
  });

  it('counts recommendations only if it is strict', () => {
    const warned = findings({ 'http.date': 'warn', 'json.utf8': 'untested' });
    expect(verdict(warned)).toBe('conforms');
    expect(verdict(warned, { strict: true })).toBe('does-not-conform');
    const open = findings({ 'json.utf8': 'inconclusive' });
    expect(verdict(open)).toBe('conforms');
    expect(verdict(open, { strict: true })).toBe('inconclusive');
  });

  describe('of a selection', () => {
    const notSelected: JudgedRequirement = { level: 'must', verdict: 'untested', optional: true };
    const of = (...selected: JudgedRequirement[]): ReturnType<typeof verdictOf> =>
      verdict([notSelected, ...selected], { isSelection: true });

    it('is selection-passes if all that was selected passes, never conforms', () => {
      expect(of({ level: 'must', verdict: 'pass' })).toBe('selection-passes');
      expect(of({ level: 'should', verdict: 'pass' })).toBe('selection-passes');
      expect(of({ level: 'should', verdict: 'warn' })).toBe('selection-passes');
      expect(verdict(findings(), { isSelection: true })).toBe('selection-passes');
    });

    it('is inconclusive if a recommendation that was selected could not be judged', () => {
      const pass: JudgedRequirement = { level: 'should', verdict: 'pass' };
      expect(of(pass, { level: 'should', verdict: 'inconclusive' })).toBe('inconclusive');
      expect(of(pass, { level: 'should', verdict: 'inconclusive', optional: true })).toBe('inconclusive');
      expect(of(pass, { level: 'should', verdict: 'untested' })).toBe('selection-passes');
    });

    it('is inconclusive if nothing that was selected has a verdict', () => {
      expect(of()).toBe('inconclusive');
      expect(of({ level: 'should', verdict: 'untested' })).toBe('inconclusive');
      expect(of({ level: 'must', verdict: 'pass' }, { level: 'must', verdict: 'inconclusive' })).toBe(
        'inconclusive',
      );
    });
  });
});

describe('exitCodeOf', () => {
  it.each([
    ['conforms', [], 0],
    ['conforms', ['pass', 'pass'], 0],
    ['conforms', ['pass', 'untested'], 3],
    ['conforms', ['warn'], 0],
    ['conforms', ['inconclusive', 'fail'], 1],
    ['selection-passes', ['pass'], 0],
    ['selection-passes', ['untested'], 3],
    ['inconclusive', ['pass'], 3],
    ['inconclusive', ['fail'], 1],
    ['does-not-conform', ['pass'], 1],
    ['does-not-conform', ['untested'], 1],
  ] as const)('of %s, with custom suites that count and have %j, is %i', (verdict, own, code) => {
    const found = own.map((one) => ({ verdict: one }));
    expect(exitCodeOf({ run: { strict: false }, verdict, custom: found, customCounts: true })).toBe(code);
  });

  it('ignores custom suites that do not count', () => {
    expect(exitCodeOf({ run: { strict: false }, verdict: 'conforms', custom: [{ verdict: 'fail' }] })).toBe(
      0,
    );
  });
});
