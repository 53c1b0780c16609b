import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { ConfigError } from '../../../src/definitions/settings/config.ts';

const needed = { ENGINE: 'bigquery', GOOGLE_CLOUD_PROJECT: 'my-project', BIGQUERY_DATASET: 'logs' };

describe('the settings of BigQuery', () => {
  test('need a project and a dataset, with that engine only', () => {
    expect(problemsOf({ ENGINE: 'bigquery' })).toEqual([
      'GOOGLE_CLOUD_PROJECT: required with ENGINE=bigquery',
      'BIGQUERY_DATASET: required with ENGINE=bigquery',
    ]);
    expect(readConfig({}).engine).toBe('duckdb');
    expect(problemsOf({ ...needed, GOOGLE_CLOUD_PROJECT: '', BIGQUERY_DATASET: 'a.b.c', PORT: 'x' })).toEqual(
      [
        expect.stringMatching(/^PORT/),
        expect.stringMatching(/^BIGQUERY_DATASET: expected/),
        'GOOGLE_CLOUD_PROJECT: required with ENGINE=bigquery',
      ],
    );
    expect(readConfig(needed)).toMatchObject({ googleCloudProject: 'my-project', bigqueryDataset: 'logs' });
  });

  test.each([
    ['GOOGLE_CLOUD_PROJECT', 'example.com:my-project'],
    ['GOOGLE_CLOUD_PROJECT', '123456789012'],
    ['BIGQUERY_DATASET', 'other-project.logs'],
    ['BIGQUERY_DATASET', 'example.com:p.logs'],
    ['BIGQUERY_MAX_BYTES_BILLED', '9007199254740991'],
  ])('take %s=%s', (variable, text) => {
    expect(problemsOf({ ...needed, [variable]: text })).toEqual([]);
  });

  test.each([
    ['GOOGLE_CLOUD_PROJECT', 'a`b', 'expected a project id'],
    ['BIGQUERY_DATASET', 'a.b.c', 'expected dataset or project.dataset'],
    ['BIGQUERY_TABLES', 'edge_logs', 'expected source=table'],
    ['BIGQUERY_TABLES', 'a=b`; DROP', 'expected source=table'],
    ['BIGQUERY_TABLES', 'a=b,a=c', '"a" appears twice'],
    ['BIGQUERY_LABELS', '=x', 'expected key=value'],
    ['BIGQUERY_LABELS', 'team=x,1=y', 'each key needs a letter'],
    ['BIGQUERY_LOCATION', 'EU/../x', 'expected a location'],
    ['BIGQUERY_MAX_BYTES_BILLED', '0', 'expected a whole number'],
    ['BIGQUERY_MAX_BYTES_BILLED', '9007199254740992', 'expected a whole number'],
    ['BIGQUERY_PRIORITY', 'high', 'expected interactive or batch'],
    ['BIGQUERY_EMULATOR_HOST', 'localhost:9050', 'expected a URL'],
  ])('refuse %s=%s', (variable, text, reason) => {
    expect(problemsOf({ ...needed, [variable]: text })).toEqual([
      expect.stringContaining(`${variable}: ${reason}`),
    ]);
  });

  test('take names of tables with dashes, in other datasets and projects', () => {
    const tables = 'edge_logs=edge-2026, auth_logs=other-project.logs.auth,x=d.t';
    expect(readConfig({ ...needed, BIGQUERY_TABLES: tables }).bigqueryTables).toEqual(
      new Map([
        ['edge_logs', 'edge-2026'],
        ['auth_logs', 'other-project.logs.auth'],
        ['x', 'd.t'],
      ]),
    );
  });

  test.each([
    [{}, false],
    [{ METADATA_SERVER_DETECTION: 'none' }, false],
    [{ METADATA_SERVER_DETECTION: 'assume-present' }, true],
    [{ GCE_METADATA_HOST: '127.0.0.1:8080' }, true],
  ])('know from %o whether there is a metadata server', (environment, isGiven) => {
    expect(readConfig(environment).isMetadataServerGiven).toBe(isGiven);
  });

  test('take labels as they are given', () => {
    const { bigqueryLabels } = readConfig({ ...needed, BIGQUERY_LABELS: 'team=My Team,env=' });
    expect([...bigqueryLabels]).toEqual([
      ['team', 'My Team'],
      ['env', ''],
    ]);
  });
});

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
