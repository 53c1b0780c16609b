import { expect, test } from 'vitest';
import { Cursors } from '../../../src/calls/call/cursors.ts';

const cursors = new Cursors('the secret of these tests');
const scope = { request: 'an endpoint with values, for a key', version: 'a1' };
const place = { values: ['9007199254740993', null, 'NaN', false, 'secret text'], order: 'o', walked: 20 };

test('a cursor leads to its place, is the same each time, and shows none of its values', () => {
  const text = cursors.seal(scope, place);
  expect(cursors.open(scope, text)).toEqual(place);
  expect(new Cursors('the secret of these tests').seal(scope, place)).toBe(text);
  expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain('secret text');
});

test('a cursor from before a change of the endpoint, of another request or secret is refused with the reason', () => {
  const text = cursors.seal(scope, place);
  const opened =
    (asked: typeof scope, by = cursors) =>
    () =>
      by.open(asked, text);
  expect(opened({ ...scope, version: 'a2' })).toThrow(
    expect.objectContaining({
      code: 'INVALID_CURSOR',
      message: expect.stringContaining('the endpoint has changed since') as string,
    }) as Error,
  );
  expect(opened({ ...scope, request: 'another' })).toThrow('another request');
  expect(opened(scope, new Cursors('another secret'))).toThrow('not a cursor of this gateway');
});

test('values that would make a cursor too long are refused when it is made', () => {
  expect(() => cursors.seal(scope, { ...place, values: ['x'.repeat(9_000)] })).toThrow(
    expect.objectContaining({ code: 'QUERY_FAILED' }) as Error,
  );
});
