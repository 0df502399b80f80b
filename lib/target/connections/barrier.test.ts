import { describe, expect, it } from 'vitest';
import { createBarriers } from './barrier.ts';

describe('the barriers of several requests', () => {
  it('hold the last bytes back until each request has arrived, however often one does', async () => {
    const [first, second, third] = createBarriers(3);
    const last: string[] = [];
    const send = async (barrier = first!): Promise<void> => {
      for await (const bytes of barrier.hold(Buffer.from('ab'))) last.push(String(bytes));
    };
    const both = Promise.all([send(first), send(second)]);
    await new Promise(setImmediate);
    // Its connection breaks then, which is another way to arrive.
    second!.arrive();
    await new Promise(setImmediate);
    expect(last).toEqual(['a', 'a']);
    third!.arrive();
    await both;
    expect(last).toEqual(['a', 'a', 'b', 'b']);
  });
});
