import { describe, expect, it } from 'vitest';
import { catalogue } from '../../suites/catalogue.ts';
import type { FindingVerdict } from '../schemas/case.ts';
import { exitCodeOf, verdictOf } from './verdict.ts';
import type { Judged } from './verdict.ts';

const findings = (changes: Readonly<Record<string, FindingVerdict>> = {}): Judged[] =>
  catalogue.requirements.map(({ id, level }) => ({ level, verdict: changes[id] ?? 'pass' }));

describe('verdictOf', () => {
  it('is that the target conforms only where every required statement was tested and holds', () => {
    expect(verdictOf(findings(), false)).toBe('conforms');
    expect(verdictOf([], false)).toBe('inconclusive');
    expect(verdictOf(findings({ 'customer.id.new': 'untested' }), false)).toBe('inconclusive');
    expect(verdictOf(findings({ 'customer.id.new': 'inconclusive' }), false)).toBe('inconclusive');
  });

  it('is that it does not conform as soon as one failed, whatever went untested', () => {
    expect(verdictOf(findings({ 'customer.id.new': 'fail', 'customer.id.form': 'untested' }), false)).toBe(
      'does-not-conform',
    );
  });

  it('is inconclusive where the target went away or somebody ended the run, not where a budget was spent', () => {
    expect(verdictOf(findings(), false, 'away')).toBe('inconclusive');
    expect(verdictOf(findings(), false, 'interrupt')).toBe('inconclusive');
    expect(verdictOf(findings(), false, 'budget')).toBe('conforms');
    expect(verdictOf(findings({ 'customer.id.new': 'fail' }), false, 'away')).toBe('does-not-conform');
  });

  it('leaves advice as advice, unless it is strict', () => {
    const advised = findings({ 'http.date': 'warn', 'json.utf8': 'untested' });
    expect(verdictOf(advised, false)).toBe('conforms');
    expect(verdictOf(advised, true)).toBe('does-not-conform');
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
  ] as const)("of %s, with suites of somebody's own that count and say %j, is %i", (verdict, own, code) => {
    const found = own.map((one) => ({ verdict: one }));
    expect(exitCodeOf({ verdict, custom: found, customCounts: true })).toBe(code);
  });

  it("leaves suites of somebody's own aside where they do not count", () => {
    expect(exitCodeOf({ verdict: 'conforms', custom: [{ verdict: 'fail' }] })).toBe(0);
  });
});
