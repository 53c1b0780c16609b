import { describe, expect, it } from 'vitest';
import { partNames } from '../../../bench/report/part-name.ts';
import { readReportOptions } from '../../../bench/report/report-options.ts';

describe('the command line of the report', () => {
  it('measures all parts into docs when it says nothing', () => {
    expect(readReportOptions([], '/cache')).toEqual({
      ...{ scale: 'usual', parts: partNames, output: 'docs', folder: '/cache' },
    });
  });

  it('chooses parts, their scale and the folder', () => {
    const args = ['--quick', '--only', 'hits,servers', '--output', 'out'];
    expect(readReportOptions(args, '')).toMatchObject({
      ...{ scale: 'quick', parts: ['servers', 'hits'], output: 'out' },
    });
    expect(readReportOptions(['--render'], '')).toMatchObject({ parts: [], output: 'docs' });
  });

  it.each([
    [['--only', 'hit'], `"hit" is no part of the report; the parts are ${partNames.join(', ')}`],
    [['--only', ''], 'is no part of the report'],
    [['--quick', '--full'], '--quick and --full exclude each other'],
    [['--render', '--quick'], '--render measures nothing'],
    [['--output', ''], '--output needs a folder'],
    [['servers'], 'servers'],
  ])('refuses %j', (args, reason) => {
    expect(() => readReportOptions(args, undefined)).toThrow(reason);
  });
});
