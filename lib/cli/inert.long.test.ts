import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { flawsOfFile, flawsOfScreen, hostileText } from '../report/inert.testing.ts';
import { filesIn } from '../selftest/command.ts';
import type { CommandResult } from '../selftest/command.ts';
import { newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import type { PlainService } from '../selftest/plain-service.ts';
import { variablesOf } from '../selftest/services.ts';
import { parseJson } from '../schemas/json.ts';

/** As the content of a JSON string, with lone surrogates, which need escapes. */
const hostileJson = `${JSON.stringify(hostileText).slice(1, -1)}\\ud83d \\udc00`;

/** The bytes of it that are valid in a header. */
const hostileField = Buffer.from(hostileText)
  .toString('latin1')
  .replace(/[^\t\u0020-\u007E\u0080-\u00FF]/g, ' ');

const PROTOTYPES = `"__proto__":{"id":"cus_polluted","verdict":"pass"},"constructor":{"prototype":{"polluted":"${hostileJson}"}}`;

/** A customer, a token or an error, with hostile text in every place for text. */
function body(request: IncomingMessage, sent: string, count: number): string {
  const { name = '', email = '' } = (parseJson(sent) ?? {}) as Record<string, unknown>;
  const member = `"${hostileJson}":"${hostileJson}",${PROTOTYPES}`;
  if (request.url!.endsWith('/customers')) {
    const echo = (value: unknown): string => `${JSON.stringify(String(value)).slice(0, -1)}${hostileJson}"`;
    return `{${member},"id":"cus_${count}${hostileJson}","name":${echo(name)},"email":${echo(email)}}`;
  }
  return `{${member},"access_token":"tok_${count}_0123456789abcdef"}`;
}

async function hostileService(): Promise<PlainService> {
  const service = await startPlainService({
    instead(request, response, count) {
      const [, , sent = ''] = /^(\S+ \S+) ([^]*)$/.exec(service.received[count - 1]!) ?? [];
      const isRight = request.headers.authorization === `Bearer ${service.apiKey}`;
      response.writeHead(isRight ? 201 : 401, hostileField.slice(0, 60).replace(/[^\u0020-\u007E]/g, ' '), {
        'Content-Type': `application/json; charset=utf-8; x="${hostileField}"`,
        'WWW-Authenticate': hostileField,
        Location: hostileField,
        'X-Request-Id': hostileField,
      });
      response.end(isRight ? body(request, sent, count) : `{"error":"${hostileJson}",${PROTOTYPES}}`);
      return true;
    },
  });
  return service;
}

describe('hostile text from a target', () => {
  let ended: CommandResult;
  let replayed: CommandResult;
  let profile: string;

  beforeAll(async () => {
    const service = await hostileService();
    profile = join(newFolder(), 'profile.json');
    ended = await ctsInProcess(
      ['--strict', '--cases', '60', '--write-profile', profile],
      variablesOf(service),
    );
    replayed = await ctsInProcess(
      ['replay', join(ended.out, 'cases/customer.name.echoed.json')],
      variablesOf(service),
    );
    await service.stop();
  });

  it('is judged like any other', () => {
    expect(ended.code).toBe(1);
    expect(replayed.stdout).toContain('STILL FAILS');
    expect(replayed.code).toBe(1);
  });

  it('is plain text on the screen', () => {
    expect(ended.stdout).toContain('customer.name.echoed');
    for (const { stdout, stderr } of [ended, replayed])
      expect(flawsOfScreen(`${stdout}${stderr}`)).toEqual([]);
  });

  it('is plain text in every file', () => {
    const files = filesIn(ended.out);
    expect(files.length).toBeGreaterThan(3);
    for (const path of [...files, profile]) expect(flawsOfFile(path, readFileSync(path, 'utf8'))).toEqual([]);
  });

  it('is an own property, even if named like a built-in one', () => {
    const members = ended.report!.questions.find(({ id }) => id === 'customer.members')!.answer;
    expect(Object.keys(members as object)).toEqual(
      expect.arrayContaining(['/__proto__/verdict', '/constructor/prototype/polluted']),
    );
  });
});
