import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayLoseDigits } from '../../../src/base/text/json-number.ts';

test('digits may be lost wherever seventeen of them, or points, stand in a row', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.integer({ min: 0, max: 40 }).map((length) => '1.2345678901234567'.repeat(3).slice(0, length)),
  );
  const property = fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
    const text = parts.join(',');
    expect(mayLoseDigits(text)).toBe(/[0-9.]{17}/.test(text));
  });
  fc.assert(property, { numRuns: 2000 });
});

test('a run of exactly that length is found at every place', () => {
  for (let before = 0; before < 40; before++) {
    expect(mayLoseDigits(`${'x'.repeat(before)}${'7'.repeat(17)}`)).toBe(true);
    expect(mayLoseDigits(`${'x'.repeat(before)}${'7'.repeat(16)}x${'7'.repeat(16)}`)).toBe(false);
  }
});
