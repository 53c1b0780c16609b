import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { ConfigError, settingDescriptions } from '../../../src/definitions/settings/config.ts';

describe('the settings', () => {
  test('have defaults for everything but the key', () => {
    expect(readConfig({})).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      apiKey: undefined,
      dataDir: resolve('data'),
      endpointsDir: resolve('schema/endpoints'),
      sourcesDir: resolve('schema/sources'),
      requestTimeoutMs: 25_000,
      queryErrorsAs200: false,
      duckdbMemoryLimit: '2GB',
    });
  });

  test('are read from the environment', () => {
    const environment = { PORT: '0', API_KEY: 'secret', DATA_DIR: '/var/rows', QUERY_ERRORS_AS_200: 'true' };
    expect(readConfig(environment)).toMatchObject({
      port: 0,
      apiKey: 'secret',
      dataDir: '/var/rows',
      queryErrorsAs200: true,
    });
  });

  test('count as unset when they are empty', () => {
    const empty = Object.fromEntries(settingDescriptions.map(({ variable }) => [variable, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  test('can not be changed', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  test('are refused with all their problems at once, by variable', () => {
    const environment = {
      PORT: '65536',
      REQUEST_TIMEOUT_MS: '25s',
      QUERY_ERRORS_AS_200: 'yes',
      DUCKDB_MEMORY_LIMIT: 'lots',
      DUCKDB_THREADS: '0',
      API_KEY: 'two words',
    };
    const problems = problemsOf(environment);
    expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual(Object.keys(environment).sort());
    expect(problems).toContain('PORT: expected a whole number from 0 to 65535');
    expect(problems).toContain('QUERY_ERRORS_AS_200: expected true or false');
  });

  test('give the embedded engine memory enough to answer', () => {
    const expected = 'expected a size such as 512MB or 2GiB';
    expect(problemsOf({ DUCKDB_MEMORY_LIMIT: 'lots' })).toEqual([`DUCKDB_MEMORY_LIMIT: ${expected}`]);
    for (const little of ['0GB', '1KB', '511.9 MB', '480MiB'])
      expect(problemsOf({ DUCKDB_MEMORY_LIMIT: little })).toEqual([
        `DUCKDB_MEMORY_LIMIT: ${expected}, at least 512MB`,
      ]);
    expect(problemsOf({ DUCKDB_MEMORY_LIMIT: '512 mb', DUCKDB_TEMP_LIMIT: '0GB' })).toEqual([]);
  });

  test('are described once each', () => {
    const variables = settingDescriptions.map(({ variable }) => variable);
    expect(new Set(variables).size).toBe(variables.length);
  });
});

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
  }
  return [];
}

describe('CORS_ORIGINS', () => {
  test.each([
    ['', ['*']],
    [' * ', ['*']],
    ['https://app.example.com', ['https://app.example.com']],
    [
      'HTTPS://App.Example.com:443,http://localhost:5173',
      ['https://app.example.com', 'http://localhost:5173'],
    ],
    ['https://bücher.example', ['https://xn--bcher-kva.example']],
    ['capacitor://localhost, chrome-extension://abc', ['capacitor://localhost', 'chrome-extension://abc']],
  ])('%j is read as browsers send it', (text, origins) => {
    expect(readConfig({ CORS_ORIGINS: text }).corsOrigins).toEqual(origins);
  });

  test.each([
    'app.example.com',
    'https://app.example.com/',
    'https://*.example.com',
    'null',
    '*, https://a.example',
    'https://a.example,',
    'https://a:b@c.example',
  ])('%j is refused', (text) => {
    expect(() => readConfig({ CORS_ORIGINS: text })).toThrow(
      /^CORS_ORIGINS: expected \* or origins such as .*, got "/,
    );
  });
});
