import { expect, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { testCommand } from '../../src/cli/test/test-command.ts';
import { serveRows } from '../tools/emulators/bigquery/support/served-rows.ts';
import { CapturedOutput } from './support/captured-output.ts';

const shipped = { ENDPOINTS_DIR: 'schema/endpoints', SOURCES_DIR: 'schema/sources' };

test('the tests of the shipped endpoints pass and cover them', async () => {
  const output = new CapturedOutput();
  const config = readConfig(shipped);
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

test('they pass on BigQuery, too', async () => {
  await using bigquery = await serveRows({ edge: { columns: [], rows: [] } });
  const environment = {
    ...shipped,
    GOOGLE_CLOUD_PROJECT: 'test-project',
    BIGQUERY_DATASET: 'logs_eu',
    BIGQUERY_EMULATOR_HOST: bigquery.server.url,
  };
  const output = new CapturedOutput();
  const { signal } = new AbortController();
  const code = await testCommand(
    readConfig(environment),
    { ...output, hasColours: false },
    [],
    // BigQuery does not say that a parameter is at fault.
    { quiet: true, engine: 'bigquery', filter: '/^(?!refuses a bound)/' },
    { signal, environment },
  );
  expect({ code, out: output.stdout, err: output.stderr }).toEqual({ code: 0, out: '', err: '' });
});
