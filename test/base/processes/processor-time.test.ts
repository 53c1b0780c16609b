import { expect, test } from 'vitest';
import { processorMs } from '../../../src/base/processes/processor-time.ts';

test.runIf(process.platform === 'linux')('the processor time of a process grows with its work', () => {
  const before = processorMs(process.pid) ?? 0;
  const { user, system } = process.cpuUsage();
  expect(Math.abs(before - (user + system) / 1000)).toBeLessThan(100);
  while ((processorMs(process.pid) ?? 0) < before + 20);
});

test('a process that has ended has none', () => {
  expect(processorMs(2 ** 30)).toBeUndefined();
});
