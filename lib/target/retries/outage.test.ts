import { expect, it } from 'vitest';
import { post } from '../testing.ts';
import { detectOutages } from './outage.ts';

/** Whether a target is away after eight lost requests in a row. @param looks in vain before it answers again */
async function isAwayAfterLosses(looks: number): Promise<boolean> {
  let left = looks;
  const waits = (): Promise<void> =>
    Number.isFinite(looks) ? Promise.resolve() : Promise.reject(new Error('the time is over'));
  const { noteGivenUp } = detectOutages(
    async () => left-- <= 0,
    waits,
    () => {},
  );
  const away: boolean[] = [];
  for (let lost = 0; lost < 8; lost++) away.push(await noteGivenUp(post(), performance.now()));
  expect(away.slice(0, 7)).not.toContain(true);
  return away[7]!;
}

it('a target that has answered only what was sent before may be away', () => {
  const { answered, mayBeAway, hasAnswered } = detectOutages(
    () => expect.unreachable(),
    () => expect.unreachable(),
    () => {},
  );
  answered(100);
  // The response comes after another request has begun to fail.
  answered(90);
  expect([hasAnswered(), hasAnswered(95), mayBeAway(95), hasAnswered(105), mayBeAway(105)]).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
});

it('a target that has answered others since a request was sent is not away', async () => {
  const { answered, noteGivenUp } = detectOutages(
    () => expect.unreachable(),
    () => expect.unreachable(),
    () => {},
  );
  const sentAt = performance.now();
  answered(sentAt);
  for (let lost = 0; lost < 8; lost++) expect(await noteGivenUp(post(), sentAt - 1)).toBe(false);
});

it('a target that answers again soon is not away for good, whatever was lost before', async () => {
  expect(await isAwayAfterLosses(0)).toBe(false);
  expect(await isAwayAfterLosses(3)).toBe(false);
  await expect(isAwayAfterLosses(Infinity)).rejects.toThrow('the time is over');
});
