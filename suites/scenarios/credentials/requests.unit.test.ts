import consumers from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { withOwnControl } from '../../../lib/engine/judging/reproduce.ts';
import { REPEATED } from '../../../lib/engine/observation.ts';
import type { Observation } from '../../../lib/engine/observation.ts';
import { firstContact, firstCustomer } from '../../../lib/engine/readiness/first-contact.ts';
import { KEY, open } from '../../../lib/engine/run.testing.ts';
import { phase } from '../../../lib/engine/scenario.ts';
import type { Run } from '../../../lib/engine/scenario.ts';
import { tokenInput } from '../../../lib/inputs/tokens.ts';
import { http } from '../../../lib/target/target.testing.ts';
import { plan } from '../../plan.ts';
import { invalidTokenCredentials, lastTokenCredentials } from './credentials.ts';
import { plainTokens } from '../tokens.ts';

const ISSUED = 'q8Zr5xT1mVb7Kp2WnD4s';
const OTHER = 'Zk3Vq9Lm2Xw8Rt5Yb7Nc';
const USUAL = { status: 201, body: { token: ISSUED } };

/** The response to a token request; without a body, the token is in a header. */
interface TokenResponse {
  readonly status: number;
  readonly body?: object;
}

/** A run against a service that issues tokens, but answers a lifetime of one second with another response. */
async function runWith(
  other: TokenResponse,
  usual: TokenResponse = USUAL,
  ofCustomer: TokenResponse = { status: 201 },
): Promise<Run> {
  const baseUrl = await http(async (request, response) => {
    const text = await consumers.text(request);
    const isOther = text.includes('"expires_in":1}');
    const created = { ...(JSON.parse(text) as object), id: 'cus_1' };
    const customer = { status: ofCustomer.status, body: ofCustomer.body ?? created };
    const { status, body } = isOther ? other : request.url!.endsWith('tokens') ? usual : customer;
    const field = body ? { 'Content-Type': 'application/json' } : { 'X-Subject-Token': ISSUED };
    response.writeHead(status, field).end(body && JSON.stringify(body));
  });
  return open(
    { baseUrl },
    { plan: [firstContact, phase('tokens', { sends: [plainTokens, invalidTokenCredentials] })] },
  );
}

const input = {
  credential: { kind: 'other', text: 'sk_test_wrong' },
  conditions: [],
  base: tokenInput(['customers:read'], 1),
} as const;

describe('a token request with an invalid credential', () => {
  it.each([
    [201, true],
    [403, false],
  ])('has a control with the right key if that is answered with %i: %s', async (status, isControl) => {
    const run = await runWith({ status, body: { token: OTHER } });
    const testCase = {
      scenario: invalidTokenCredentials.name,
      index: REPEATED,
      category: 'exact key',
      input,
    };
    const { control } = await withOwnControl(run, invalidTokenCredentials, { case: testCase } as Observation);
    expect(control !== undefined).toBe(isControl);
  });

  it('is repeated with only the control and the tokens that it needs', async () => {
    let requests = 0;
    const baseUrl = await http(async (request, response) => {
      requests++;
      const text = await consumers.text(request);
      const isRight = request.headers.authorization === `Bearer ${KEY}`;
      const result = request.url!.endsWith('tokens')
        ? { token: `${ISSUED}${requests}` }
        : { ...(JSON.parse(text || '{}') as object), id: `cus_${requests}` };
      response.writeHead(isRight ? 201 : 401, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(isRight ? result : {}));
    });
    const run = open({ baseUrl }, { plan });
    await run.repeat(lastTokenCredentials, input, 'exact key');
    expect(requests).toBeLessThan(30);
  });

  it('is observed with the place of the result', async () => {
    const run = await runWith({ status: 403, body: { token: OTHER } });
    const observation = await run.repeat(invalidTokenCredentials, input, 'exact key');
    expect(observation).toMatchObject({ accepted: true, place: '/token' });
  });

  it.each([
    [true, 'is that to an earlier request', USUAL, USUAL],
    [undefined, 'has another token', { status: 201, body: { token: OTHER } }, USUAL],
    [undefined, 'is empty, as any other with its token in a header', { status: 201 }, { status: 201 }],
  ])('has a stored response (%s) if it %s', async (isStored, _, other, usual) => {
    const run = await runWith(other, usual);
    const observation = await run.repeat(invalidTokenCredentials, input, 'exact key');
    expect(observation.accepted).toBe(true);
    expect(observation.isStored).toBe(isStored);
  });

  it.each([
    [true, { error: 'forbidden', token: 'invalid' }],
    [false, { error: 'forbidden', token: 'Zp4Kd81sQ7vX' }],
  ])('is accepted (%s) if it is rejected with a token, and a customer with %j', async (accepted, body) => {
    const run = await runWith({ status: 403, body: { token: OTHER } }, USUAL, { status: 403, body });
    await run.explore(firstCustomer);
    const observation = await run.repeat(invalidTokenCredentials, input, 'exact key');
    expect(observation.accepted).toBe(accepted);
  });

  it('has a response in which texts are redacted that may be a token', async () => {
    const run = await runWith({ status: 200, body: { note: `your token: ${OTHER}` } });
    const { accepted } = await run.repeat(invalidTokenCredentials, input, 'exact key');
    expect(accepted).toBe(false);
    expect(run.target.redactor.redact(OTHER)).toMatch(/^\[possible token \d+\]$/);
  });
});
