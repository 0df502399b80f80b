import consumers from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { judge } from '../lib/engine/judging/judge.ts';
import type { TokenObservation } from '../lib/engine/operations/token.ts';
import { firstContact } from '../lib/engine/readiness/first-contact.ts';
import { open } from '../lib/engine/run.testing.ts';
import { phase } from '../lib/engine/scenario.ts';
import type { TokenRequest } from '../lib/schemas/interface.ts';
import type { TargetSettings } from '../lib/settings/run-settings.ts';
import { http } from '../lib/target/target.testing.ts';
import { encodedTokens, plainTokens, simultaneousTokens, tokenOf, variedTokens } from './scenarios/tokens.ts';
import { tokenRequirements } from './tokens.ts';

describe('a plain token request', () => {
  /** A service that accepts some token requests only. */
  const judged = async (
    isAccepted: (request: TokenRequest) => boolean,
    error = 'values',
    settings: Partial<TargetSettings> = {},
    rejection = 422,
  ) => {
    const baseUrl = await http(async (request, response) => {
      const text = await consumers.text(request);
      const sent = JSON.parse(text) as TokenRequest;
      const isRejected = request.url!.endsWith('tokens') && !isAccepted(sent);
      response
        .writeHead(isRejected ? rejection : 201, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(isRejected ? { error } : { id: 'cus_1', token: 'q8Zr5xT1mVb7', ...sent }));
    });
    const run = open(
      { baseUrl },
      { plan: [firstContact, phase('plain', { sends: [plainTokens] })], settings },
    );
    const requirement = tokenRequirements.find(({ id }) => id === 'token.plain.accepted')!;
    return judge(run, { ...requirement, over: [...firstContact.sends.slice(1), plainTokens] });
  };

  it.each([28_800, 2_592_000, 31_536_000, 365])(
    'may be accepted for a lifetime of %i only',
    async (lifetime) => {
      expect((await judged((sent) => sent.expires_in === lifetime)).verdict).toBe('pass');
    },
  );

  it('may be accepted for the scope of the interface only, whatever the settings name', async () => {
    const judgement = await judged(({ scopes }) => scopes.join() === 'customers:read', 'scope', {
      tokenScopes: ['customers:raed'],
    });
    expect(judgement.verdict).toBe('pass');
  });

  it('fails with what it reads, if that is the form of OAuth', async () => {
    const { verdict, cause } = await judged(() => false, 'unsupported_grant_type');
    expect([verdict, cause?.id]).toEqual(['fail', 'token-oauth']);
  });

  it('fails with what the key may lack, if all are forbidden', async () => {
    const { verdict, cause } = await judged(() => false, 'forbidden', {}, 403);
    expect([verdict, cause?.id]).toEqual(['fail', 'token-forbidden']);
  });

  it.each([
    [405, 'no route'],
    [403, 'Missing Authentication Token'],
  ])(
    'fails with the operation that may be missing, if the path is unknown (%i %s)',
    async (status, error) => {
      const { verdict, cause } = await judged(() => false, error, {}, status);
      expect([verdict, cause?.id]).toEqual(['fail', 'token-missing']);
    },
  );

  it('fails with the error that the service gives to each', async () => {
    const { verdict, cause } = await judged(() => false, 'oops', {}, 500);
    expect(verdict).toBe('fail');
    expect(cause).toMatchObject({ text: 'the service fails with 500 on every plain token request' });
  });

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

describe('an issued token', () => {
  const { check } = tokenRequirements.find(({ id }) => id === 'token.credential.own')!;
  const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
  const secret = KEY.slice('sk_test_'.length);
  const actual = (text: string, apiKey = KEY): unknown =>
    check!({ found: { text, place: '/token' } }, { apiKey } as TargetSettings)?.actual;

  it.each([
    ['after another text', `tok_1.${KEY}`],
    ['without its prefix', `tok_${secret}`],
    ['in Base64', Buffer.from(`1:${KEY}`).toString('base64url')],
    ['in hexadecimal', `tok_${Buffer.from(KEY).toString('hex')}`],
    ['in another case', `tok_${secret.toUpperCase()}`],
    ['reversed', `tok_${secret.split('').toReversed().join('')}`],
  ])('must not contain the key %s', (_, text) => {
    expect(actual(text)).toBe('a token that contains the static key');
  });

  it('may have something in common with a key', () => {
    expect(actual('tok_4eC39HqLyjWD')).toBeUndefined();
    // What follows the prefix of a short key may be a word.
    expect(actual('tok_customers', 'sk_test_customers')).toBeUndefined();
    expect(actual('sk_test_customers', 'sk_test_customers')).toBe('the static key');
  });
});

describe('the token that may be allowed the most', () => {
  const issued = (scopes: readonly string[], expiresIn: number, text = 'q8Zr5xT1mVb7') =>
    ({ found: { text }, case: { input: { scopes, expiresIn } } }) as unknown as TokenObservation;
  const read = issued(['customers:read', 'orders:read'], 900);
  const write = issued(['customers:write'], 60);
  const onTokens = issued(['tokens:read'], 10);
  const long = issued(['customers:read'], 86_400);

  it('has scopes on tokens, then scopes to write, then the most scopes, or the longest lifetime', () => {
    expect(tokenOf([read, long, write, onTokens], 'widest')).toBe(onTokens);
    expect(tokenOf([read, long, write], 'widest')).toBe(write);
    expect(tokenOf([long, read], 'widest')).toBe(read);
    expect(tokenOf([read, long, write, onTokens], 'longest')).toBe(long);
  });

  it('is for the shortest lifetime that outlives a run, or for one that does not', () => {
    const brief = issued(['customers:read'], 1);
    expect(tokenOf([long, onTokens, brief, write], 'shortest')).toBe(write);
    expect(tokenOf([long, onTokens, brief], 'ended')).toBe(brief);
    expect(tokenOf([long, onTokens], 'ended')).toBeUndefined();
  });

  it('is not one that is too long for a header', () => {
    expect(tokenOf([issued(['tokens:read'], 10, 'x'.repeat(4000)), long], 'widest')).toBe(long);
    expect(tokenOf([], 'widest')).toBeUndefined();
  });
});

describe('a token request in another encoding', () => {
  it.each([
    [409, 1],
    [400, 0],
  ])(
    'that is rejected once, with %i, is judged unless that is for the state of something else',
    async (status, lost) => {
      let isFirst = true;
      const baseUrl = await http(async (request, response) => {
        const text = await consumers.text(request);
        const isRejected = isFirst && text.startsWith('{"expires_in"');
        if (isRejected) isFirst = false;
        response
          .writeHead(isRejected ? status : 201, { 'Content-Type': 'application/json' })
          .end(JSON.stringify(isRejected ? { error: 'no' } : { id: 'cus_1', token: 'q8Zr5xT1mVb7' }));
      });
      const run = open(
        { baseUrl },
        { plan: [firstContact, phase('all', { sends: [plainTokens, encodedTokens] })] },
      );
      const explored = await run.explore(encodedTokens);
      expect(explored.lost).toHaveLength(lost);
      expect(explored.observations.filter(({ accepted }) => !accepted)).toHaveLength(1 - lost);
    },
  );
});
