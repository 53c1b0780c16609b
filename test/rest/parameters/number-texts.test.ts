import { expect, test } from 'vitest';
import { numberTexts } from '../../../src/rest/parameters/number-texts.ts';

test.each<[string, Record<string, string>]>([
  ['{"a":9007199254740993,"b":-1.50e+3,"c":"1","d":true,"e":null}', { a: '9007199254740993', b: '-1.50e+3' }],
  [' { "a" : 1.0 , "b" : 0 }\n', { a: '1.0', b: '0' }],
  ['{"x":[1,{"a":2}],"y":{"a":3,"b":[4]},"a":5}', { a: '5' }],
  ['{"a":1,"a":2.0}', { a: '2.0' }],
  ['{"a":"\\"b\\":1,","c\\"d":2,"e\\\\":3,"\\u0066":4}', { 'c"d': '2', 'e\\': '3', f: '4' }],
  ['{"__proto__":7}', JSON.parse('{"__proto__":"7"}')],
  ['{}', {}],
])('the numbers of %s keep their digits', (json, texts) => {
  expect(Object.keys(JSON.parse(json))).toEqual(expect.arrayContaining(Object.keys(texts)));
  expect(numberTexts(json)).toEqual(new Map(Object.entries(texts)));
});
