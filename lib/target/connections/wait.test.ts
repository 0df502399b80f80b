import { expect, it, onTestFinished, vi } from 'vitest';
import { direct } from '../../settings/route.ts';
import { http } from '../target.testing.ts';
import { waitUntilAnswered } from './wait.ts';

it('a target that answers only with 503 is not reported to give no answer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const baseUrl = await http((_, response) => {
    // So long that the first answer is the last.
    vi.advanceTimersByTime(59_900);
    response.writeHead(503).end();
  });
  const printed: string[] = [];
  await waitUntilAnswered({ baseUrl, route: direct }, 60, 30_000, (text) => printed.push(text));
  expect(printed).toEqual([
    expect.stringMatching(/^After [\d.]+ s, the target still answers with status 503$/),
  ]);
});
