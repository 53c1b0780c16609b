import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonElements } from '../../../../src/base/text/json-tokens.ts';
import { parameterType } from '../../../../src/definitions/endpoints/parameters/endpoint-parameter.ts';
import {
  givenAsJson,
  givenAsTexts,
  textsToGive,
} from '../../../../src/definitions/endpoints/parameters/read-given.ts';
import { computedMs } from '../../../support/computed-ms.ts';

const of = (type: string, maxItems?: number) => ({
  ...{ name: 'p', type: parameterType(type) },
  ...(maxItems !== undefined && { maxItems }),
});
const refused = (message: string) => expect.objectContaining({ code: 'BAD_USER_INPUT', message });

describe('texts of a repeated key', () => {
  test.each([
    ['ARRAY<STRING>', ['a', 'b', 'a'], ['a', 'b', 'a']],
    ['ARRAY<STRING>', ['a'], ['a']],
    ['ARRAY<STRING>', ['', ''], ['', '']],
    ['ARRAY<STRING>', ['[a', '[b'], ['[a', '[b']],
    ['ARRAY<STRING>', ['a,b'], ['a,b']],
    ['ARRAY<STRING>', [''], null],
    ['ARRAY<INT64>', [''], null],
    ['ARRAY<INT64>', ['1', ''], ['1', '']],
    ['ARRAY<STRING>', ['[]'], []],
    ['ARRAY<STRING>', [' [ ] '], []],
    ['ARRAY<STRING>', ['["a","]","\\",\\"", "é"]'], ['a', ']', '","', 'é']],
    ['ARRAY<STRING>', ['[1.50,true]'], ['1.50', 'true']],
    ['ARRAY<INT64>', ['[12345678901234567890]'], ['12345678901234567890']],
    ['ARRAY<JSON>', ['["a",null,{"b":[1,2]}]'], ['"a"', 'null', '{"b":[1,2]}']],
    ['ARRAY<JSON>', ['{"a":1}', '[2]'], ['{"a":1}', '[2]']],
    ['STRING', ['["a"]'], '["a"]'],
  ])('of %s: %j are %j', (type, texts, given) => {
    expect(givenAsTexts(of(type), texts)).toEqual(given);
  });

  test.each([
    ['[', '"["'],
    ['["a"', '"[\\"a\\""'],
    ['[a]', '"[a]"'],
    ['[1,]', '"[1,]"'],
    ['[,1]', '"[,1]"'],
    ['[1] 2]', '"[1] 2]"'],
    ['[1],[2]', '"[1],[2]"'],
    ['[{]},1]', '"[{]},1]"'],
  ])('%s is not a JSON array', (text, shown) => {
    const message = `Parameter "p": expected a JSON array, because it starts with [, got ${shown}.`;
    expect(() => givenAsTexts(of('ARRAY<STRING>'), [text])).toThrow(refused(message));
  });
});

describe('JSON in a body', () => {
  test.each([
    ['ARRAY<INT64>', '[1,"2"]', ['1', '2']],
    ['ARRAY<INT64>', '5', ['5']],
    ['ARRAY<STRING>', '"a"', ['a']],
    ['ARRAY<STRING>', '""', null],
    ['ARRAY<STRING>', 'null', null],
    ['ARRAY<JSON>', '{"a":[1]}', ['{"a":[1]}']],
    ['JSON', '{"a":[1.0]}', '{"a":[1.0]}'],
    ['JSON', '[1]', '[1]'],
    ['JSON', '5', '5'],
    ['JSON', '"{\\"a\\":1}"', '{"a":1}'],
    ['JSON', 'null', null],
    ['INT64', '12345678901234567890', '12345678901234567890'],
  ])('of %s: %s is %j', (type, source, given) => {
    expect(givenAsJson(of(type), source)).toEqual(given);
  });

  test.each([
    ['STRING', '["a"]', 'Parameter "p": expected one value, not a list or an object.'],
    ['ARRAY<STRING>', '{"a":1}', 'Parameter "p": expected one value, not a list or an object.'],
    [
      'ARRAY<STRING>',
      '["a",["b"]]',
      'Parameter "p", element 2: expected one value, not a list or an object.',
    ],
    ['ARRAY<STRING>', '["a",null]', 'Parameter "p", element 2 must not be null.'],
  ])('of %s is not %s', (type, source, message) => {
    expect(() => givenAsJson(of(type), source)).toThrow(refused(message));
  });
});

test('a JSON array is refused at its first element too many, whatever follows', () => {
  const message = 'Parameter "p" may have at most 2 elements (maxItems), got more.';
  expect(() => givenAsTexts(of('ARRAY<INT64>', 2), ['[1,2,3]'])).toThrow(refused(message));
  const huge = `[${'1,'.repeat(3_000_000)}1]`;
  const read = () => expect(() => givenAsJson(of('ARRAY<INT64>'), huge)).toThrow('at most 1,000 elements');
  const before = computedMs();
  read();
  expect(computedMs() - before).toBeLessThan(200);
});

test('the elements of any JSON array are separated as JSON.parse separates them', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (values, indent) => {
      const elements = [...(jsonElements(JSON.stringify(values, null, indent)) ?? [])];
      expect(elements.map((element) => JSON.parse(element))).toEqual(JSON.parse(JSON.stringify(values)));
    }),
  );
});

test('any array is read back from the texts that examples show', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('', '[', ' [1]', 'a'))), (texts) => {
      const read = givenAsTexts(of('ARRAY<STRING>'), textsToGive(of('ARRAY<STRING>'), texts));
      expect(read).toEqual(texts);
    }),
  );
  const json = ['{"a":1}', '"x"'];
  for (const texts of [json, json.slice(0, 1), json.slice(1), ['[1]'], []]) {
    expect(givenAsTexts(of('ARRAY<JSON>'), textsToGive(of('ARRAY<JSON>'), texts))).toEqual(texts);
  }
});
