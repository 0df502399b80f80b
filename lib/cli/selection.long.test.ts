import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { variablesOf, failed, serviceThat } from '../selftest/services.ts';

const hasBadge = (out: string): boolean => existsSync(join(out, 'badge.json'));

describe('--only', () => {
  it('holds if what it selects passes, without a badge and without the word conforms, also when judged again', async () => {
    const service = await serviceThat();
    const { code, report, out, stdout } = await ctsInProcess(
      ['--only', 'customer.id.*', '--seed', '7'],
      variablesOf(service),
    );
    expect([code, report!.verdict]).toEqual([0, 'selection-passes']);
    const judged = report!.requirements.filter(({ verdict }) => verdict !== 'untested').map(({ id }) => id);
    expect(judged).toEqual(['customer.id.form', 'customer.id.new']);
    expect(stdout).toContain('SELECTION PASSES');
    expect(stdout).not.toMatch(/CONFORMS/);
    expect(hasBadge(out)).toBe(false);
    const again = await ctsInProcess(['judge', out]);
    expect(again.stdout).toContain('equal to');
    expect(again.code).toBe(0);
  });

  it.each(['token.plain.accepted', 'customer.reply.own', 'auth.rejection.*,input.malformed.answered'])(
    'does not hold where nothing shows %s, as every request is answered with 200 and nothing',
    async (ids) => {
      const service = await serviceThat({
        instead: (_, response) => {
          response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}');
          return true;
        },
      });
      const { code, stdout } = await ctsInProcess(['--only', ids, '--seed', '7'], variablesOf(service));
      expect(stdout).toMatch(/INCONCLUSIVE .*no verdict/);
      expect(code).toBe(3);
    },
  );

  it('fails if what it selects fails', async () => {
    const service = await serviceThat({ echo: (text) => text.toUpperCase() });
    const ended = await ctsInProcess(['--only', 'customer.name.echoed', '--seed', '7'], variablesOf(service));
    expect(ended.code).toBe(1);
    expect(failed(ended)).toEqual(['customer.name.echoed']);
    expect(hasBadge(ended.out)).toBe(false);
  });
});
