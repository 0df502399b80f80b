import { describe, expect, it } from 'vitest';
import { judge } from '../lib/engine/judging/judge.ts';
import { firstContact } from '../lib/engine/readiness/first-contact.ts';
import { open } from '../lib/engine/run.testing.ts';
import { phase } from '../lib/engine/scenario.ts';
import type { TokenRequest } from '../lib/schemas/interface.ts';
import type { TargetSettings } from '../lib/settings/run-settings.ts';
import { http } from '../lib/target/testing.ts';
import { plainTokens, simultaneousTokens, variedTokens } from './scenarios/tokens.ts';
import { tokenRequirements } from './tokens.ts';

describe('a plain token request', () => {
  /** A service that accepts some token requests only. */
  const judged = async (isAccepted: (request: TokenRequest) => boolean) => {
    const baseUrl = await http(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const sent = JSON.parse(text) as TokenRequest;
      const isRejected = request.url!.endsWith('tokens') && !isAccepted(sent);
      response
        .writeHead(isRejected ? 422 : 201, { 'Content-Type': 'application/json' })
        .end(
          JSON.stringify(isRejected ? { error: 'values' } : { id: 'cus_1', token: 'q8Zr5xT1mVb7', ...sent }),
        );
    });
    const run = open({ baseUrl }, { plan: [firstContact, phase('plain', { sends: [plainTokens] })] });
    const requirement = tokenRequirements.find(({ id }) => id === 'token.plain.accepted')!;
    return judge(run, { ...requirement, over: [...firstContact.sends.slice(1), plainTokens] });
  };

  it.each([28_800, 2_592_000, 31_536_000, 365])(
    'may be accepted for a lifetime of %i only',
    async (lifetime) => {
      expect((await judged((sent) => sent.expires_in === lifetime)).verdict).toBe('pass');
    },
  );

  it('fails with what was tried, and how to request something else', async () => {
    const { verdict, cause } = await judged(() => false);
    expect(verdict).toBe('fail');
    expect(cause).toMatchObject({
      text: 'none of 18 lifetimes and 5 lists of scopes is accepted',
      next: expect.stringContaining('TARGET_TOKEN_EXPIRES_IN and TARGET_TOKEN_SCOPES') as string,
    });
  });
});

describe('one of several accepted token requests that are sent at the same instant', () => {
  const { only, check } = tokenRequirements.find(({ id }) => id === 'token.plain.accepted')!;
  const answered = (status: number, scenario = simultaneousTokens.name): unknown => {
    const exchange = { reply: { status, json: {}, notJson: undefined } };
    const observation = { case: { scenario, category: 'at once' }, accepted: status < 300, exchange };
    return only!(observation) ? check!(observation, {} as TargetSettings) : 'not judged';
  };

  it('must not be answered with a server error', () => {
    expect(answered(500)).toMatchObject({ actual: 'status 500' });
    expect(answered(201)).toBe('not judged');
    // A service may reject it, as it may limit what it issues at a time.
    expect(answered(409)).toBe('not judged');
    expect(answered(500, variedTokens.name)).toBe('not judged');
  });
});
