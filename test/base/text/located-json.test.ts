import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LocatedJson } from '../../../src/base/text/located-json.ts';

describe('JSON with places', () => {
  test('means what JSON.parse says it means', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom('', ' ', '\t'), (text, indent) => {
        const written = JSON.stringify(JSON.parse(text), null, indent);
        expect(new LocatedJson(written).value).toEqual(JSON.parse(written));
      }),
    );
  });

  test('is refused when JSON.parse refuses it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":, 1-.e\\ntrufals') }), (text) => {
        let parses = true;
        try {
          JSON.parse(text);
        } catch {
          parses = false;
        }
        if (!parses) expect(() => new LocatedJson(text)).toThrow();
      }),
    );
  });

  test('knows where each value begins, and where the way to a missing one ends', () => {
    const text = '[1, {"a": [true,\n "x"]}]';
    const located = new LocatedJson(text);
    expect(text.slice(located.offsetOf([1, 'a', 1]))).toBe('"x"]}]');
    expect(text.slice(located.offsetOf([1, 'b', 0]))).toBe('{"a": [true,\n "x"]}]');
    expect(located.offsetOf([])).toBe(0);
  });

  test.each([
    ['', 0, 'expected a value, found the end of the file'],
    ['[1,]', 3, 'expected a value, found "]"'],
    ['[1 2]', 3, 'expected ",", found "2"'],
    ['[1', 2, 'expected "," or "]", found the end of the file'],
    ['{"a":1,"a":2}', 7, 'the key "a" is given twice'],
    ['{a:1}', 1, 'unexpected "a"'],
    ['{"a":1,}', 7, 'expected a key in double quotes, found "}"'],
    ['[] x', 3, 'unexpected "x"'],
    ['[] 1', 3, 'expected the end of the file, found "1"'],
    ['// a\n1', 0, 'a comment, which JSON does not have'],
    ['["a\n"]', 1, 'a string that is not closed or holds a bad character'],
    ['["a', 1, 'a string that is not closed or holds a bad character'],
    ['01', 1, 'expected the end of the file, found "1"'],
    ['[1.]', 1, 'a number that JSON does not have'],
  ])('names the mistake and its place: %s', (text, offset, message) => {
    expect(() => new LocatedJson(text)).toThrow(expect.objectContaining({ offset, message }));
  });
});
