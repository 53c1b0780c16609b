import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { ConfigError } from '../../../src/definitions/settings/config.ts';
import { loadEnvFile, withPlaces } from '../../../src/definitions/settings/env-file.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'env-'));
  file = join(folder, '.env');
});
afterAll(() => rm(folder, { recursive: true }));

async function load(text: string, environment: Record<string, string | undefined> = {}) {
  await writeFile(file, text);
  const all: Record<string, string | undefined> = { ENV_FILE: file, ...environment };
  const { places, warnings } = loadEnvFile(all);
  const { ENV_FILE: _, ...variables } = all;
  return { variables, places, warnings };
}

function problemsOf(action: () => unknown): readonly string[] {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('a file of variables', () => {
  test('is read as Node.js reads it', async () => {
    const text =
      '\uFEFF# settings\nPORT=5000 # of ours\nexport HOST="::1"\nOTEL_SERVICE_NAME="two\nlines"\n\nENGINE=\r\n';
    expect((await load(text)).variables).toEqual({
      PORT: '5000',
      HOST: '::1',
      OTEL_SERVICE_NAME: 'two\nlines',
      ENGINE: '',
    });
  });

  test('changes no variable that the environment has, even an empty one', async () => {
    const { variables } = await load('PORT=5000\nHOST=::1', { PORT: '6000', HOST: '' });
    expect(variables).toEqual({ PORT: '6000', HOST: '' });
  });

  test('sets settings, and variables of Google and OpenTelemetry that are documented', async () => {
    const names = [
      ...['API_KEY', 'API_KEY_FILE', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_APPLICATION_CREDENTIALS'],
      ...[
        'GCE_METADATA_HOST',
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        'OTEL_EXPORTER_OTLP_HEADERS',
        'OTEL_BSP_SCHEDULE_DELAY',
      ],
    ];
    const { variables, warnings } = await load(names.map((name) => `${name}=x\n`).join(''));
    expect(Object.keys(variables).sort()).toEqual(names.sort());
    expect(warnings).toEqual([]);
  });

  test.each([
    ...['LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'],
    ...['NODE_COMPILE_CACHE', 'NODE_TLS_REJECT_UNAUTHORIZED', 'PATH', 'HOME', 'TMPDIR', 'XDG_CACHE_HOME'],
    ...['HTTPS_PROXY', 'https_proxy', 'SSL_CERT_FILE', 'GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES'],
  ])('sets no %s, with a warning', async (name) => {
    const { variables, places, warnings } = await load(`PORT=1\n${name}=/tmp/evil\n`);
    expect(variables).toEqual({ PORT: '1' });
    expect([...places.keys()]).toEqual(['PORT']);
    expect(warnings).toEqual([
      `${file}:2: ${name} is ignored: a file sets only settings. Set it in the environment if it is yours.`,
    ]);
  });

  test('sets nothing of other programs, silently, and warns about what looks like a setting', async () => {
    const { variables, warnings } = await load('STRIPE_KEY=x\nNODE_ENV=test\nAPIKEY=x\nLOG_COLOUR=x\n');
    expect(variables).toEqual({});
    expect(warnings).toEqual([
      `${file}:3: Unknown setting APIKEY, ignored. Did you mean API_KEY?`,
      `${file}:4: Unknown setting LOG_COLOUR, ignored.`,
    ]);
  });

  test('is refused with the place of every line that sets nothing', async () => {
    await writeFile(file, 'PORT=1\nHOST ::1\n\nthe rest\n');
    const expected = 'expected NAME=value, or a comment that begins with #';
    expect(problemsOf(() => loadEnvFile({ ENV_FILE: file }))).toEqual([
      `${file}:2:1: ${expected}`,
      `${file}:4:1: ${expected}`,
    ]);
  });

  test('is refused when a quote is never closed', async () => {
    await writeFile(file, 'PORT=1\nHOST="::1\nA=2\n');
    expect(problemsOf(() => loadEnvFile({ ENV_FILE: file }))).toEqual([
      `${file}:2:1: the quote " is never closed`,
    ]);
  });

  test('must be there if it is named', () => {
    const missing = join(folder, 'missing');
    expect(problemsOf(() => loadEnvFile({ ENV_FILE: missing }))).toEqual([
      `ENV_FILE=${missing}: can't be read (no such file or directory)`,
    ]);
  });

  test('is no device, which may have no end', () => {
    expect(problemsOf(() => loadEnvFile({ ENV_FILE: '/dev/zero' }))).toEqual([
      "ENV_FILE=/dev/zero: can't be read (it is not a file)",
    ]);
  });

  test('gives an invalid setting its place; others keep their message', async () => {
    const { variables, places } = await load('# port\nPORT=many\n', { ENGINE: 'oracle' });
    expect(problemsOf(() => readConfig(variables)).length).toBe(2);
    const error = (() => {
      try {
        return readConfig(variables);
      } catch (thrown) {
        return withPlaces(thrown, places);
      }
    })();
    expect(error).toMatchObject({
      problems: [
        `${file}:2: PORT: expected a whole number from 0 to 65535`,
        'ENGINE: expected duckdb or bigquery',
      ],
    });
  });
});
