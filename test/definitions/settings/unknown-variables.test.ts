import { expect, test } from 'vitest';
import { settingDescriptions, settingWarnings } from '../../../src/definitions/settings/config.ts';

test('every setting is known', () => {
  const current = settingDescriptions.filter(({ meaning }) => !meaning.startsWith('Deprecated'));
  const all = Object.fromEntries(current.map(({ variable }) => [variable, 'x']));
  expect(settingWarnings(all)).toEqual([]);
});

test('a deprecated setting leads to a warning that says what to do instead', () => {
  expect(settingWarnings({ ALLOW_API_KEY_IN_QUERY: 'true' })).toEqual([
    'ALLOW_API_KEY_IN_QUERY is deprecated, and a later version ignores it. Send keys in the header `X-API-KEY`.',
  ]);
  expect(settingWarnings({ ALLOW_API_KEY_IN_QUERY: '' })).toEqual([]);
});

test('variables with a prefix of the settings, and near misses of any, lead to a warning with a suggestion', () => {
  const misspelt = {
    BIGQUERY_DATASETS: 'BIGQUERY_DATASET',
    CACHE_MEMORY_MIB: 'CACHE_MEMORY_MB',
    api_key: 'API_KEY',
    APIKEY: 'API_KEY',
    REDIS_URI: 'REDIS_URL',
    REQUEST_TIMEOUT_M: 'REQUEST_TIMEOUT_MS',
    REQUEST_TIMEOUT: 'REQUEST_TIMEOUT_MS',
  };
  for (const [written, meant] of Object.entries(misspelt)) {
    expect(settingWarnings({ [written]: 'x' })).toEqual([
      `Unknown setting ${written}, ignored. Did you mean ${meant}?`,
    ]);
  }
  expect(settingWarnings({ GRAPHQL_PLAYGROUND: 'x', DUCKDB_FILE: 'x' })).toEqual([
    'Unknown setting DUCKDB_FILE, ignored.',
    'Unknown setting GRAPHQL_PLAYGROUND, ignored.',
  ]);
});

test('variables of other programs cause no warning', () => {
  const others = {
    PATH: '/bin',
    HOSTNAME: 'x',
    PORTS: 'x',
    GPG_KEY: 'x',
    XDG_DATA_DIRS: 'x',
    REDIS_PASSWORD: 'x',
    GOOGLE_APPLICATION_CREDENTIALS: 'x',
    OTEL_SERVICE_NAME: 'x',
    CACHE_SERVICE_HOST: '10.0.0.1',
    CACHE_PORT_6379_TCP_ADDR: '10.0.0.1',
    LOG_PORT: 'tcp://10.0.0.1:1',
    NODE_ENV: 'production',
  };
  expect(settingWarnings(others)).toEqual([]);
});

test('a warning contains no value', () => {
  expect(settingWarnings({ APIKEY: 'a-secret' }).join()).not.toContain('a-secret');
});
