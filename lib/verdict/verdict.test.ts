import { describe, expect, it } from 'vitest';
import { catalogue } from '../../suites/catalogue.ts';
import type { FindingVerdict } from '../schemas/case.ts';
import { exitCodeOf, verdictOf } from './verdict.ts';
import type { JudgedRequirement } from './verdict.ts';

const findings = (changes: Readonly<Record<string, FindingVerdict>> = {}): JudgedRequirement[] =>
  catalogue.requirements.map(({ id, level }) => ({ level, verdict: changes[id] ?? 'pass' }));

describe('verdictOf', () => {
  it('is conforms only if every required statement was tested and holds', () => {
    expect(verdictOf(findings(), false)).toBe('conforms');
    expect(verdictOf([], false)).toBe('inconclusive');
    expect(verdictOf(findings({ 'customer.id.new': 'untested' }), false)).toBe('inconclusive');
    expect(verdictOf(findings({ 'customer.id.new': 'inconclusive' }), false)).toBe('inconclusive');
  });

  it('is does-not-conform if one requirement failed, even if others are untested', () => {
    expect(verdictOf(findings({ 'customer.id.new': 'fail', 'customer.id.form': 'untested' }), false)).toBe(
      'does-not-conform',
    );
  });

  it('is inconclusive if the target was away or the user stopped the run, not if a budget was spent', () => {
    expect(verdictOf(findings(), false, 'away')).toBe('inconclusive');
    expect(verdictOf(findings(), false, 'interrupt')).toBe('inconclusive');
    expect(verdictOf(findings(), false, 'budget')).toBe('conforms');
    expect(verdictOf(findings({ 'customer.id.new': 'fail' }), false, 'away')).toBe('does-not-conform');
  });

  it('counts recommended requirements only if it is strict', () => {
    const recommended = findings({ 'http.date': 'warn', 'json.utf8': 'untested' });
    expect(verdictOf(recommended, false)).toBe('conforms');
    expect(verdictOf(recommended, true)).toBe('does-not-conform');
  });
});

describe('exitCodeOf', () => {
  it.each([
    ['conforms', [], 0],
    ['conforms', ['pass', 'pass'], 0],
    ['conforms', ['pass', 'untested'], 3],
    ['conforms', ['inconclusive', 'fail'], 1],
    ['inconclusive', ['pass'], 3],
    ['inconclusive', ['fail'], 1],
    ['does-not-conform', ['pass'], 1],
    ['does-not-conform', ['untested'], 1],
  ] as const)('of %s, with custom suites that count and have %j, is %i', (verdict, own, code) => {
    const found = own.map((one) => ({ verdict: one }));
    expect(exitCodeOf({ verdict, custom: found, customCounts: true })).toBe(code);
  });

  it('ignores custom suites that do not count', () => {
    expect(exitCodeOf({ verdict: 'conforms', custom: [{ verdict: 'fail' }] })).toBe(0);
  });
});
