import { describe, expect, it } from 'vitest';
import { cleanLabels, labelKey, labelValue } from '../../../src/definitions/jobs/labels.ts';

describe('a label', () => {
  it.each([
    ['Team Name', 'team_name'],
    ['9_lives', 'lives'],
    ['-_x', 'x'],
    ['a.b/c', 'abc'],
    ['größe', 'größe'],
    ['ȷe\u0301', 'ȷé'],
    ['日本', '日本'],
    ['123', ''],
    ['x'.repeat(70), 'x'.repeat(63)],
  ])('has the key %s as %s', (text, key) => {
    expect(labelKey(text)).toBe(key);
  });

  it.each([
    ['My Value', 'my_value'],
    ['-1.5', '-15'],
    ['', ''],
    ['😀', ''],
    ['a\u{20BB7}'.repeat(40), [...'a\u{20BB7}'.repeat(40)].slice(0, 63).join('')],
    ['2026-01-02T03:04:05Z', '1767323045000'],
    ['2026-01-02T03:04:05.678999+01:00', '1767319445678'],
    ['2026-01-02T03:04:05', '1767323045000'],
    ['1969-12-31T23:59:59.9999Z', '-1'],
    ['2026-01-02', '2026-01-02'],
    ['2026-13-02T03:04:05Z', '2026-13-02t030405z'],
  ])('has the value %s as %s', (text, value) => {
    expect(labelValue(text)).toBe(value);
  });
});

describe('labels', () => {
  it('have one value for each key, the last one', () => {
    expect(
      cleanLabels([
        ['Team', 'A'],
        [' team', 'B'],
        ['1', 'dropped'],
        ['t', ''],
      ]),
    ).toEqual(
      new Map([
        ['team', 'b'],
        ['t', ''],
      ]),
    );
  });

  it('are 64 at most', () => {
    const many = Array.from({ length: 70 }, (_, index) => [`k${index}`, 'v'] as const);
    const clean = cleanLabels([...many, ['k0', 'last']]);
    expect(clean.size).toBe(64);
    expect(clean.get('k0')).toBe('last');
    expect(clean.has('k64')).toBe(false);
  });
});
