import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cursorSecret } from '../../../src/app/gateway/cursor-secret.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secret-'));
});
afterAll(() => rm(folder, { recursive: true }));

const settings = { engine: 'duckdb', cursorSecret: undefined, jwtSecret: undefined, redisUrl: undefined };

async function secretOf(given: Partial<Parameters<typeof cursorSecret>[0]>) {
  const warnings: string[] = [];
  const log = { warn: (text: string) => void warnings.push(text) };
  return { secret: await cursorSecret({ ...settings, dataDir: folder, ...given }, log), warnings };
}

test('a setting is the secret, or else that of tokens', async () => {
  const own = { cursorSecret: 'c'.repeat(32), jwtSecret: 'j'.repeat(32) };
  expect((await secretOf(own)).secret).toBe(own.cursorSecret);
  expect((await secretOf({ jwtSecret: own.jwtSecret })).secret).toBe(own.jwtSecret);
});

test('otherwise it is made once and kept, for its owner only, also if several gateways start at once', async () => {
  const dataDir = join(folder, 'new', 'data');
  const secrets = await Promise.all(Array.from({ length: 8 }, () => secretOf({ dataDir })));
  const [first] = secrets;
  expect(new Set(secrets.map(({ secret }) => secret))).toEqual(new Set([first?.secret]));
  expect((await secretOf({ dataDir })).secret).toBe(first?.secret);
  const file = join(dataDir, 'cursor-secret');
  expect(await readFile(file, 'utf8')).toBe(first?.secret);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(first?.warnings).toEqual([]);
});

test('a folder that can’t keep it, and replicas that may not share it, are warned of', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const { secret, warnings } = await secretOf({ dataDir: file });
  expect(secret.length).toBeGreaterThan(32);
  expect(warnings).toEqual([expect.stringContaining('CURSOR_SECRET')]);
  expect((await secretOf({ redisUrl: 'redis://localhost' })).warnings).toEqual([
    expect.stringContaining('CURSOR_SECRET is not set'),
  ]);
});

test('without a store, it is another one in each run, and nothing is written', async () => {
  const dataDir = join(folder, 'none');
  const [first, second] = [
    await secretOf({ dataDir, engine: 'bigquery' }),
    await secretOf({ dataDir, engine: 'bigquery' }),
  ];
  expect(first.secret).not.toBe(second.secret);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});
