import { expect, it } from 'vitest';
import { direct } from '../../settings/route.ts';
import { http } from '../target.testing.ts';
import { waitUntilAnswered } from './wait.ts';

it('a target that answers only with 503 is not said to give no answer', async () => {
  const baseUrl = await http((_, response) => response.writeHead(503).end());
  const printed: string[] = [];
  // So short that the first answer is the last.
  await waitUntilAnswered({ baseUrl, route: direct }, 0.2, 5000, (text) => printed.push(text));
  expect(printed).toEqual([
    expect.stringMatching(/^After [\d.]+ s, the target still answers with status 503$/),
  ]);
});
