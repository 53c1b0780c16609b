import { expect, test } from 'vitest';
import { readContract } from '../../src/cli/check/check.ts';
import { CapturedOutput } from './support/captured-output.ts';

test.each([
  ['/dev/zero', 'it is not a file'],
  ['nowhere', 'no such file or directory'],
])('a schema to compare with that can not be read: %s', async (file, reason) => {
  const output = new CapturedOutput();
  expect(await readContract(file, output)).toBeUndefined();
  expect(output.stderr).toBe(`--against ${file}: the file can't be read (${reason})\n`);
});
