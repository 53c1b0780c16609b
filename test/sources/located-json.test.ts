import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { offsetOf, parseLocatedJson, plainValue } from '../../src/sources/located-json.ts';

describe('JSON with places', () => {
  test('means what JSON.parse says it means', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom('', ' ', '\t'), (text, indent) => {
        const written = JSON.stringify(JSON.parse(text), null, indent);
        expect(plainValue(parseLocatedJson(written))).toEqual(JSON.parse(written));
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
        if (!parses) expect(() => parseLocatedJson(text)).toThrow();
      }),
    );
  });

  test('knows where each value begins, and where the way to a missing one ends', () => {
    const text = '[1, {"a": [true,\n "x"]}]';
    const located = parseLocatedJson(text);
    expect(text.slice(offsetOf(located, [1, 'a', 1]))).toBe('"x"]}]');
    expect(text.slice(offsetOf(located, [1, 'b', 0]))).toBe('{"a": [true,\n "x"]}]');
    expect(offsetOf(located, [])).toBe(0);
  });

  test.each([
    ['', 0, 'expected a value, found the end of the file'],
    ['[1,]', 3, 'expected a value, found "]"'],
    ['[1 2]', 3, 'expected "," or "]", found "2"'],
    ['{"a":1,"a":2}', 7, 'the key "a" is given twice'],
    ['{a:1}', 1, 'expected a key in double quotes, found "a"'],
    ['[] x', 3, 'expected the end of the file, found "x"'],
    ['["a\n"]', 1, 'a string that is not closed or holds a bad character'],
    ['["a', 1, 'a string that is not closed or holds a bad character'],
    ['01', 0, 'expected a value, found "0"'],
    ['['.repeat(300), 201, 'more than 200 levels of nesting'],
  ])('names the mistake and its place: %s', (text, offset, message) => {
    expect(() => parseLocatedJson(text)).toThrow(expect.objectContaining({ offset, message }));
  });
});
