import { expect, test } from 'vitest';
import { testCommand } from '../../src/cli/test/test-command.ts';
import { readConfig } from '../../src/config.ts';
import { CapturedOutput } from './support/captured-output.ts';

test('the tests of the shipped endpoints pass and cover them', async () => {
  const output = new CapturedOutput();
  const config = readConfig({ ENDPOINTS_DIR: 'schema/endpoints', SOURCES_DIR: 'schema/sources' });
  const { signal } = new AbortController();
  const code = await testCommand(
    config,
    { ...output, hasColours: false },
    [],
    { quiet: true, minCoverage: 100 },
    { signal, environment: {} },
  );
  expect({ code, out: output.stdout, err: output.stderr }).toEqual({ code: 0, out: '', err: '' });
});
