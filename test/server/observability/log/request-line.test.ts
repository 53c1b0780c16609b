import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newKeyText } from '../../../../src/calls/access/key/key-text.ts';
import { shownPath } from '../../../../src/server/http/request/request-target.ts';

test('a path is shown as it is', () => {
  expect(shownPath('/api/endpoints/query/logs.all')).toBe('/api/endpoints/query/logs.all');
  expect(shownPath('/a%0Ab')).toBe('/a%0Ab');
});

test('what could not stand in a line is percent-encoded, byte by byte', () => {
  expect(shownPath('/\u00c3\u00a4 \u009b\u007f')).toBe('/%C3%A4%20%9B%7F');
});

test('no path is endless, and none holds anything but visible ASCII characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 5_000 }), (path) => {
      const shown = shownPath(path);
      expect(shown.length).toBeLessThanOrEqual(1_001);
      expect(shown.replace(/…$/, '')).toMatch(/^[\x21-\x7e]*$/);
    }),
  );
  expect(shownPath('/'.repeat(60_000))).toBe(`${'/'.repeat(1_000)}…`);
});

test('a path never shows a key', () => {
  const key = newKeyText();
  for (const path of [
    `/x%3Fapi_key=${key}`,
    `/${key}`,
    `/\u00e9/${key}`,
    `/${key.replace('_', '%5F')}/a`,
    `/${key.replace('e', '%65')}`,
    `/egw_%${key.charCodeAt(4).toString(16)}${key.slice(5)}`,
    `/%65%67%57%5f${key.slice(4)}`,
    `/%2565gw%25255F${key.slice(4)}`,
    `/${'x'.repeat(980)}${key}`,
  ]) {
    expect(shownPath(path)).not.toContain(key.slice(5, 16));
  }
  expect(shownPath(`/x%3Fapi_key=${key}&a=b`)).toBe('/x%3Fapi_key=egw_&a=b');
});

test('nor does it show what stands where a key does', () => {
  expect(shownPath('/x%3Fapi_key=secret&a=b')).toBe('/x%3Fapi_key=egw_&a=b');
  expect(shownPath('/x%3fAPI%5fKEY%3Dsecret/y')).toBe('/x%3fAPI%5fKEY%3Degw_/y');
  expect(shownPath('/é;api_key=sécret')).toBe('/%E9;api_key=egw_');
});
