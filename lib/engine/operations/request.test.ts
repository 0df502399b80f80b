import { describe, expect, it } from 'vitest';
import { usualStyle } from '../../inputs/json-styles.ts';
import { paths, post } from './request.ts';

describe('a request under a condition', () => {
  const style = {
    ...usualStyle,
    accept: '*/*',
    fields: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Accept-Language', 'de'],
    ],
  } as const;
  const namesUnder = (condition: Parameters<typeof post>[4]): string[] =>
    post(paths.tokens, {}, style, undefined, condition).fields.map((field) => field.join(': '));

  it('has the header of the condition in place of that of its style', () => {
    expect(namesUnder({ fields: [['content-type', 'text/plain']] })).toEqual([
      expect.stringContaining('User-Agent'),
      'Accept: */*',
      'Accept-Language: de',
      'content-type: text/plain',
    ]);
  });

  it('lacks the header that the condition leaves out, though its style has it', () => {
    expect(namesUnder({ without: ['Content-Type', 'Accept'] })).toEqual([
      expect.stringContaining('User-Agent'),
      'Accept-Language: de',
    ]);
  });
});
