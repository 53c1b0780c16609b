import { expect, test } from 'vitest';
import { formatJson, isObject, parseJson } from '../../../src/console/api/json.ts';

test('whole numbers beyond 2^53 keep their digits, there and back', () => {
  const text = '{"a":9007199254740993,"b":[-9223372036854775808],"c":1.5,"d":1e300}';
  expect(parseJson(text)).toEqual({ a: 9007199254740993n, b: [-9223372036854775808n], c: 1.5, d: 1e300 });
  expect(formatJson(parseJson('{"a":9007199254740993,"b":1}'))).toBe('{"a":9007199254740993,"b":1}');
});

test('a member named __proto__ is a member', () => {
  const value = parseJson('{"__proto__":{"isAdmin":true}}');
  expect(isObject(value) && Object.keys(value)).toEqual(['__proto__']);
  expect(value).not.toHaveProperty('isAdmin');
});
