import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { explainFailure } from '../../../src/app/failures/explain-failure.ts';
import { type BackupOptions, backupCommand } from '../../../src/cli/backup/backup.ts';
import { restoreCommand } from '../../../src/cli/restore/restore.ts';
import { writeServerFile } from '../../../src/engines/duckdb/store/file/server-file.ts';
import { temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { folderWith, idsIn } from './support.ts';

/** A folder with a store, and ways to run the commands in it. */
async function workplace() {
  const folder = await temporaryFolder();
  const dataDir = await folderWith(folder, ['a', 'b']);
  const settings = {
    ...{ engine: 'duckdb' as const, recordCalls: undefined },
    ...{ dataDir, duckdbMemoryLimit: '500MB', duckdbThreads: 1 },
  };
  type Environment = Parameters<typeof restoreCommand>[2];
  const outcome = async (run: (environment: Environment) => Promise<number>) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await run({ stdout, stderr }).catch((error) => {
      stderr.write(explainFailure(error));
      return 1;
    });
    const [out, err] = await Promise.all([stdout.end(), stderr.end()].map((stream) => text(stream)));
    return { code, out: out?.replaceAll(folder, '.'), err: err?.replaceAll(folder, '.') };
  };
  return {
    folder,
    dataDir,
    path: (name: string) => join(folder, name),
    backup: (name: string, options: BackupOptions = {}, others: Partial<typeof settings> = {}) =>
      outcome((environment) =>
        backupCommand(join(folder, name), options, { ...settings, ...others }, environment),
      ),
    restore: (name: string, into: string) =>
      outcome((environment) =>
        restoreCommand(join(folder, name), { ...settings, dataDir: join(folder, into) }, environment),
      ),
  };
}

test('the commands say what they have done', async () => {
  const { backup, restore, path } = await workplace();
  expect(await backup('x')).toEqual({
    ...{ code: 0, err: '' },
    out: expect.stringMatching(/^backed up 2 rows of 1 source to \.\/x \(\d+ MB\)\n$/),
  });
  expect(await restore('x', 'new')).toEqual({
    ...{ code: 0, err: '' },
    out: expect.stringMatching(/^restored 2 rows of 1 source, as of 20\S+Z, into \.\/new\n$/),
  });
  expect(await idsIn(path('new'))).toEqual(['a', 'b']);
});

test('an existing file is refused, unless it is to be replaced', async () => {
  const { backup, path } = await workplace();
  await writeFile(path('kept'), 'mine');
  expect(await backup('kept')).toEqual({
    ...{ code: 1, out: '' },
    err: './kept exists. Choose another name, or replace it with --force.',
  });
  expect(await readFile(path('kept'), 'utf8')).toBe('mine');
  expect(await backup('kept', { force: true })).toMatchObject({ code: 0 });
  expect((await stat(path('kept'))).size).toBeGreaterThan(100_000);
});

test('what cannot be backed up is told', async () => {
  const { backup, path } = await workplace();
  const missing = await backup('x', {}, { dataDir: path('none') });
  expect(missing.err).toBe('There is no store in DATA_DIR (./none).');
  expect(await readdir(path('none')).catch(() => 'missing')).toBe('missing');
  expect((await backup('x', { rate: 'fast' })).err).toMatch(
    /^--rate fast: expected a number of bytes per second/,
  );
  expect((await backup('none/x')).err).toContain('none: no such file or directory');
});

test('what cannot be restored is told, and leaves the folder as it was', async () => {
  const { backup, restore, path, dataDir } = await workplace();
  await backup('good');
  const { pid } = process;
  await writeServerFile(dataDir, { pid, storePid: pid, url: 'http://127.0.0.1:1', token: 't' });
  expect((await restore('good', 'data')).err).toBe(
    `DATA_DIR (./data) is not empty: it has server.json, store.duckdb. A gateway (pid ${pid}) may be using it. Backups are restored into an empty folder only. Set DATA_DIR to another one.`,
  );
  await mkdir(path('empty'));
  const explain = async (name: string) => {
    const { code, err } = await restore(name, 'empty');
    expect(code).toBe(1);
    expect(await readdir(path('empty'))).toEqual([]);
    return err;
  };
  expect(await explain('nothing')).toContain('nothing');
  await writeFile(path('text'), 'no database'.repeat(10_000));
  expect(await explain('text')).toBe('./text is not a backup that this version can read, or is damaged.');
  await writeFile(path('store'), await readFile(path('data/store.duckdb')));
  expect(await explain('store')).toMatch(/^\.\/store is a store, but not a backup\. /);
  const bytes = await readFile(path('good'));
  await writeFile(path('short'), bytes.subarray(0, bytes.length / 2));
  expect(await explain('short')).toMatch(/short .*damaged/);
});
