import { describe, expect, it } from 'vitest';
import { inRequests, otherThan, presenting } from './presentation.ts';

describe('the presentation of a token', () => {
  it('has the token in each place, and a description in its place in reports', () => {
    const { credential, fields } = presenting(['bearer', { header: 'X-Token' }], 'tok_1', 'cut');
    expect(credential).toEqual({
      field: 'Authorization',
      value: 'Bearer tok_1',
      label: 'Bearer [issued token: cut]',
      shell: '"Bearer $ALTERED_TOKEN"',
    });
    expect(fields).toEqual([['X-Token', 'tok_1']]);
    expect(presenting([{ header: 'X-Token' }], 'tok_1').credential).toMatchObject({
      value: 'tok_1',
      shell: '"$ISSUED_TOKEN"',
    });
  });

  it('leaves out the given places, whatever the case of a header', () => {
    const others = otherThan(['bearer', { header: 'x-access-TOKEN' }]);
    expect(others).not.toContain('bearer');
    expect(others).not.toContainEqual({ header: 'X-Access-Token' });
    expect(others).toContainEqual({ header: 'X-Auth-Token' });
    expect(otherThan([], [{ name: 'x-auth-token' }])).not.toContainEqual({ header: 'X-Auth-Token' });
  });

  it('takes one request, or two where the token is long', () => {
    const places = otherThan([]);
    expect(inRequests(places, 'x'.repeat(36))).toEqual([places]);
    const long = inRequests(places, 'x'.repeat(1500));
    expect(long.map(({ length }) => length)).toEqual([3, 3]);
  });
});
