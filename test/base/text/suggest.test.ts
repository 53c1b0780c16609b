import { describe, expect, test } from 'vitest';
import { didYouMean, suggestion } from '../../../src/base/text/suggest.ts';

const names = ['retentionDays', 'aliases', 'rename'];

describe('a name that is written wrong', () => {
  test.each([
    ['alias', 'aliases'],
    ['REname', 'rename'],
    ['retention', 'retentionDays'],
  ])('suggests for %s the name %s', (written, meant) => {
    expect(didYouMean(written, names)).toBe(`. Did you mean "${meant}"?`);
  });

  test.each(['colour', 'ret', ''])('suggests nothing for %j', (written) => {
    expect(didYouMean(written, names)).toBe('');
    expect(suggestion(written, names)).toBe('; known: retentionDays, aliases, rename');
  });

  test('suggests nothing where no name is known', () => {
    expect([didYouMean('alias', []), suggestion('alias', [])]).toEqual(['', '']);
  });
});
