import { describe, expect, it } from 'vitest';
import { partNames, readOptions } from '../../bench/options.ts';

describe('the command line of the benchmark', () => {
  it('asks for all parts and ten million rows when it says nothing', () => {
    expect(readOptions([], '/cache')).toEqual({
      parts: partNames,
      rows: 10_000_000,
      importRows: 1_000_000,
      minutes: 3,
      verbose: false,
      folder: '/cache',
    });
  });

  it('chooses parts and numbers of rows', () => {
    const options = readOptions(['start', 'sql', '--rows', '50_000', '--import-rows=2000', '--verbose'], '');
    expect(options).toMatchObject({
      parts: ['sql', 'start'],
      rows: 50_000,
      importRows: 2_000,
      verbose: true,
    });
    expect(options.folder).not.toBe('');
  });

  it.each([
    [['sq'], `the parts are ${partNames.join(', ')}`],
    [['--rows', 'many'], 'expected a number of rows'],
    [['--rows', '10'], 'expected at least 1000 rows'],
    [['--minutes', 'many'], 'expected a number of minutes'],
    [['--minutes', '0'], 'expected at least 0.1 minutes'],
    [['--fast'], '--fast'],
  ])('refuses %j', (args, reason) => {
    expect(() => readOptions(args, undefined)).toThrow(reason);
  });
});
