import { describe, expect, test } from 'vitest';
import { PatternMistake, WholeMatch } from '../../../../src/definitions/endpoints/parameters/whole-match.ts';
import { computedMs } from '../../../support/computed-ms.ts';

describe('a pattern', () => {
  test.each<[pattern: string, matched: readonly string[], others: readonly string[]]>([
    ['[a-z]+', ['a', 'abc'], ['', 'aB', 'a\n', ' a', 'abc1']],
    ['a|ab', ['a', 'ab'], ['abb', 'b', '']],
    ['(a|ab)(c|bcd)', ['ac', 'abcd', 'abc'], ['abcdd', 'ab']],
    ['a*?', ['', 'aa'], ['b']],
    ['(a*)*', ['', 'aaa'], ['ab']],
    ['(?i)é.', ['éx', 'ÉX', 'é😀'], ['é', 'éxy', 'é\n']],
    ['(?s).{2}', ['\n\n', '😀é'], ['a', 'abc']],
    ['^a$', ['a'], ['a\n', 'ba']],
    [String.raw`\bfoo\b`, ['foo'], ['foo ', 'xfoo']],
    [String.raw`\Qa.b`, ['a.b'], ['axb']],
    ['(?m)^a$|b', ['a', 'b'], ['a\nb', 'ab']],
    ['', [''], ['a']],
  ])('%s matches whole texts', (pattern, matched, others) => {
    const matches = new WholeMatch(pattern).begin();
    for (const text of matched) expect([text, matches(text)]).toEqual([text, true]);
    for (const text of others) expect([text, matches(text)]).toEqual([text, false]);
  });

  test.each(['(', 'a)|(b', '[z-a]', '*', '(?=a)', String.raw`\1`, 'a{1001}', '(?:a{1000}){1000}'])(
    '%s is refused',
    (pattern) => {
      expect(() => new WholeMatch(pattern)).toThrow(PatternMistake);
    },
  );
});

describe('the work of a call', () => {
  test('is small for many short texts', () => {
    const texts = Array.from({ length: 10_000 }, (_, index) => `id-${index}-abcdefghijklmnopqrstuvwxyz`);
    const match = new WholeMatch('[a-z0-9-]+');
    const run = () => {
      const matches = match.begin();
      expect(texts.every(matches)).toBe(true);
    };
    const before = computedMs();
    run();
    expect(computedMs() - before).toBeLessThan(1_000);
  });

  test('is limited, for all texts of the call together', () => {
    const isRefused = (pattern: string, text: string) => {
      const matches = new WholeMatch(pattern).begin();
      return Array.from({ length: 40 }, () => matches(text)).includes(undefined);
    };
    expect(isRefused('(?s).*', 'a'.repeat(100_000))).toBe(true);
    expect(isRefused(String.raw`(?:a?){500}\b.*`, 'a'.repeat(2_000))).toBe(true);
    expect(isRefused('[a-z]*', 'abc')).toBe(false);
  });
});
