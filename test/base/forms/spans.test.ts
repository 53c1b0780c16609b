import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  joinedSpans,
  lengthOfSpans,
  type Span,
  type Spans,
  spansWithin,
  withoutSpans,
} from '../../../src/base/forms/spans.ts';
import '../../support/random-values.ts';

const span = fc
  .tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 0, max: 9 }))
  .map(([from, length]): Span => ({ from: BigInt(from), to: BigInt(from + length) }));
const spans = fc.array(span, { maxLength: 8 });
const numbers = (of: Spans) => {
  const all = new Set<bigint>();
  for (const { from, to } of of) for (let n = from; n < to; n++) all.add(n);
  return all;
};
const hasForm = (of: Spans) =>
  of.every(({ from, to }, i) => from < to && (i === 0 || (of[i - 1]?.to ?? to) < from));

test('joined spans have the numbers of all, apart from one another', () => {
  fc.assert(
    fc.property(spans, (all) => {
      const joined = joinedSpans(all);
      expect(numbers(joined)).toEqual(numbers(all));
      expect(hasForm(joined)).toBe(true);
      expect(lengthOfSpans(joined)).toBe(BigInt(numbers(all).size));
    }),
  );
});

test('spans without others have the numbers of one and not of the other', () => {
  fc.assert(
    fc.property(spans, spans, (one, other) => {
      const left = withoutSpans(joinedSpans(one), joinedSpans(other));
      expect(numbers(left)).toEqual(new Set([...numbers(one)].filter((n) => !numbers(other).has(n))));
      expect(left.every(({ from, to }) => from < to)).toBe(true);
    }),
  );
});

test('spans within another have the numbers of both', () => {
  fc.assert(
    fc.property(spans, span, (all, within) => {
      const found = spansWithin(joinedSpans(all), within);
      expect(numbers(found)).toEqual(new Set([...numbers(all)].filter((n) => numbers([within]).has(n))));
    }),
  );
});
