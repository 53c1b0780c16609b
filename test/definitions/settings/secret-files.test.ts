import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { redisUrlForms } from '../../../src/base/redis/redis-address.ts';
import { ConfigError, settingDescriptions } from '../../../src/definitions/settings/config.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = path.join(folder, `${Math.random()}`);
  writeFileSync(file, text);
  return file;
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
  }
  return [];
}

describe('a secret', () => {
  test('is not in a file without an end', () => {
    const sparse = fileWith('');
    truncateSync(sparse, 3_000_000_000);
    expect(problemsOf({ API_KEY_FILE: sparse })).toEqual([
      'API_KEY_FILE: cannot read the file (it is larger than 1 MB)',
    ]);
    expect(problemsOf({ API_KEY_FILE: '/dev/zero' })).toEqual([
      'API_KEY_FILE: cannot read the file (it is not a file)',
    ]);
    const google = { ENGINE: 'bigquery', GOOGLE_CLOUD_PROJECT: 'p', BIGQUERY_DATASET: 'd' };
    expect(problemsOf({ ...google, GOOGLE_APPLICATION_CREDENTIALS: sparse })).toEqual([
      `GOOGLE_APPLICATION_CREDENTIALS: ${sparse} is larger than 1 MB`,
    ]);
    expect(problemsOf({ ...google, GOOGLE_APPLICATION_CREDENTIALS: '/missing' })).toEqual([]);
  });

  test('can be in a file, whose last line break is ignored', () => {
    expect(readConfig({ API_KEY_FILE: fileWith('secret\n') }).apiKey).toBe('secret');
    expect(readConfig({ API_KEY_FILE: fileWith('secret\r\n') }).apiKey).toBe('secret');
    expect(readConfig({ API_KEY_FILE: fileWith('secret'), API_KEY: '' }).apiKey).toBe('secret');
    expect(readConfig({ REDIS_URL_FILE: fileWith('redis://:x@host:1\n') }).redisUrl).toBe(
      'redis://:x@host:1',
    );
  });

  test('that is a malformed Redis URL is one problem, which shows the format', () => {
    const expected = [`REDIS_URL: ${redisUrlForms}`];
    const bad = ['foo', 'http://host', 'redis:host', 'redis://', 'redis://:a/b@host', 'redis://:a#b@host'];
    const ofSeveral = [
      ...['redis+sentinel://host', 'redis+sentinel://host/', 'redis+sentinel://host/group/x'],
      ...['redis+sentinel://host/group?password=x', 'redis+sentinel://host/group?sentinel_user=x'],
      ...[
        'redis+sentinel://host,/group',
        'redis+sentinel://:a%b@host/group',
        'redis+sentinel://host/%',
        'redis+x://host',
      ],
      ...[
        'redis+cluster://',
        'redis+cluster://host/0',
        'redis+cluster://host:99999,host',
        'redis+cluster://a:1:2',
      ],
    ];
    const ofOne = ['redis://:a%b@host', 'redis://host/x', 'redis://host:99999', 'unix:'];
    for (const url of [...bad, ...ofOne, ...ofSeveral]) {
      expect(problemsOf({ REDIS_URL: url })).toEqual(expected);
    }
    for (const url of [
      'redis://:a%2Fb@host',
      'rediss://host:1/3',
      'redis://host/',
      'unix:///run/redis.sock?db=1',
      'redis+sentinel://a/group',
      'rediss+sentinel://user:a%2Fb@a:1,[::1]:2,c/my%20group/3?sentinel_user=x&sentinel_password=%2B',
      'redis+cluster://a',
      'rediss+cluster://:x@a:1,b,[::1]/',
    ]) {
      expect(problemsOf({ REDIS_URL: url })).toEqual([]);
    }
  });

  test('has one place only', () => {
    expect(problemsOf({ API_KEY: 'one', API_KEY_FILE: fileWith('two') })).toEqual([
      'API_KEY_FILE: API_KEY is also set. Set only one of them.',
    ]);
  });

  test('is reported under the name of its file if that is invalid, with all other problems', () => {
    expect(
      problemsOf({ API_KEY_FILE: path.join(folder, 'missing'), REDIS_URL_FILE: fileWith('\n'), PORT: 'x' }),
    ).toEqual([
      'PORT: expected a whole number from 0 to 65535',
      'API_KEY_FILE: cannot read the file (no such file or directory)',
      'REDIS_URL_FILE: the file is empty',
    ]);
  });

  test('never appears in its problem', () => {
    const [problem = ''] = problemsOf({ API_KEY_FILE: fileWith('two words\n') });
    expect(problem).toMatch(/^API_KEY_FILE: expected/);
    expect(problem).not.toContain('two words');
  });

  test('has its file among the settings that are described', () => {
    const variables = settingDescriptions.map(({ variable }) => variable);
    expect(variables.filter((name) => name.endsWith('_FILE') && name !== 'KEYS_FILE')).toEqual([
      'API_KEY_FILE',
      'ENDPOINTS_FROM_FILE',
      'ENDPOINTS_TOKEN_FILE',
      'JWT_SECRET_FILE',
      'CURSOR_SECRET_FILE',
      'MCP_KEY_FILE',
      'REDIS_URL_FILE',
      'SERVER_KEY_FILE',
    ]);
  });
});
