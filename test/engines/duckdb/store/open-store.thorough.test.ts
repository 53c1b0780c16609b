import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/engines/duckdb/store/database/open-database.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import { batchOf, makeSource, openTestStore, readRows, temporaryFolder } from './support.ts';

const source = makeSource('logs');
const options = { sources: [source], memoryLimit: '500MB', threads: 1 };

describe('opening a store', () => {
  test('makes the folder, readable for its owner only, and an empty table for each source', async () => {
    const dataDir = join(await temporaryFolder(), 'a', 'b');
    const store = await openTestStore(dataDir, source, makeSource('select'));
    expect(Object.fromEntries(await store.rowCounts())).toEqual({ logs: 0, select: 0 });
    expect(store.origin()).toBeUndefined();
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  test('makes the file for its owner only, and takes it from others where it was open to them', async () => {
    const dataDir = join(await temporaryFolder(), "the operator's");
    const file = join(dataDir, 'store.duckdb');
    const warnings: string[] = [];
    const log = { info() {}, error() {}, warn: (message: string) => void warnings.push(message) };
    const open = async () => (await openStore({ ...options, dataDir, log })).close();
    const modeOfFile = async () => (await stat(file)).mode & 0o777;
    await open();
    expect([await modeOfFile(), warnings]).toEqual([0o600, []]);

    await chmod(file, 0o644);
    await chmod(dataDir, 0o755);
    await open();
    expect(await modeOfFile()).toBe(0o600);
    expect(warnings).toEqual([
      `Other users had access to ${file} (mode 0644). Its mode is 0600 now.`,
      expect.stringMatching(
        /^Other users have access to the data folder .*\(mode 0755\)\. Run: chmod 700 '.*operator'\\''s'$/,
      ),
    ]);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o755);
  });

  test('finds the rows and their origin again', async () => {
    const dataDir = await temporaryFolder();
    const first = await openTestStore(dataDir, source);
    await first.append(source, batchOf({ id: 'a', timestamp: '2024-01-01T00:00:00Z' }), { origin: 'demo' });
    await first.close();
    const second = await openTestStore(dataDir, source);
    expect(await readRows(second, source)).toEqual([['a', 1704067200000000n]]);
    expect(second.origin()).toBe('demo');
  });

  test('keeps rows of a removed source until it comes back', async () => {
    const dataDir = await temporaryFolder();
    const first = await openTestStore(dataDir, source);
    await first.append(source, batchOf({ id: 'a', timestamp: '2024-01-01T00:00:00Z' }), { origin: 'demo' });
    await first.close();
    const without = await openTestStore(dataDir);
    expect((await without.rowCounts()).size).toBe(0);
    await without.close();
    expect(await readRows(await openTestStore(dataDir, source), source)).toHaveLength(1);
  });

  test('locks the engine down: no files, no settings, UTC', async () => {
    const dataDir = await temporaryFolder();
    const store = await openTestStore(dataDir, source);
    const connection = await store.connect();
    onTestFinished(() => connection.closeSync());
    await expect(connection.run(`SELECT * FROM read_text('/etc/hostname')`)).rejects.toThrow('disabled');
    await expect(connection.run(`COPY (SELECT 1) TO '${dataDir}/x.csv'`)).rejects.toThrow('disabled');
    await expect(connection.run(`ATTACH '${dataDir}/x.duckdb'`)).rejects.toThrow('disabled');
    await expect(connection.run('SET threads = 7')).rejects.toThrow('locked');
    await expect(connection.run('INSTALL httpfs')).rejects.toThrow();
    const reader = await connection.runAndReadAll(`SELECT current_setting('TimeZone')`);
    expect(reader.value(0, 0)).toBe('UTC');
  });

  test('clears away what killed processes had spilled', async () => {
    const dataDir = await temporaryFolder();
    for (const folder of ['spill', 'spill-99-1700000000000']) {
      await mkdir(join(dataDir, folder));
      await writeFile(join(dataDir, folder, 'duckdb_temp_storage_DEFAULT-0.tmp'), 'x');
    }
    const store = await openTestStore(dataDir, source);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('spill'))).toEqual([]);
    await store.close();
  });

  test('keeps what it spills itself while it opens: the rows of a killed process, read from the log', async () => {
    const dataDir = await temporaryFolder();
    const killed = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { openDatabase } from ${JSON.stringify(import.meta.resolve('../../../../src/engines/duckdb/store/database/open-database.ts'))};
         const { instance } = await openDatabase({ dataDir: ${JSON.stringify(dataDir)}, memoryLimit: '400MB', threads: 2 });
         const connection = await instance.connect();
         await connection.run('CREATE TABLE long (text VARCHAR)');
         for (let n = 0; n < 30; n++)
           await connection.run("INSERT INTO long SELECT repeat(chr(97 + i::INTEGER), 1_000_000) FROM range(10) AS r(i)");
         process.kill(process.pid, 'SIGKILL');`,
      ],
      { stdio: 'ignore' },
    );
    await once(killed, 'exit');
    const database = await openDatabase({ dataDir, memoryLimit: '100MB', threads: 1 });
    onTestFinished(() => database.close());
    const files = await readdir(dataDir, { recursive: true });
    expect(files.filter((name) => name.endsWith('.block'))).not.toEqual([]);
  });

  test('makes the file all at once: a process that dies or runs out of space meanwhile leaves none', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(join(dataDir, 'store.duckdb.made.99.new'), '');
    await mkdir(join(dataDir, 'store.duckdb.repaired.99.new.tmp'));
    const script = `import { openStore } from ${JSON.stringify(import.meta.resolve('../../../../src/engines/duckdb/store/open-store.ts'))};
      await openStore({ dataDir: ${JSON.stringify(dataDir)}, sources: [], memoryLimit: '100MB', threads: 1 });`;
    // Four blocks: less than DuckDB writes into a new file.
    const failing = spawn(
      '/bin/sh',
      ['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', script],
      { stdio: 'ignore' },
    );
    const [code] = await once(failing, 'exit');
    expect(code).not.toBe(0);
    expect(await readdir(dataDir)).not.toContain('store.duckdb');
    await openTestStore(dataDir, source);
    const left = (await readdir(dataDir)).filter((name) => name.includes('.99.'));
    expect(left).toEqual([]);
  });

  test('is refused a second time in one process, by whatever path', async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder, 'data');
    const store = await openTestStore(dataDir, source);
    await symlink(dataDir, join(folder, 'link'));
    await expect(openStore({ ...options, dataDir: join(folder, 'link') })).rejects.toThrow(
      expect.objectContaining({ kind: 'locked' }),
    );
    await store.close();
    await openTestStore(dataDir, source);
  });

  test('is refused while another process has it, naming that process', async () => {
    const dataDir = await temporaryFolder();
    const holder = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { openStore } from ${JSON.stringify(import.meta.resolve('../../../../src/engines/duckdb/store/open-store.ts'))};
       await openStore({ dataDir: ${JSON.stringify(dataDir)}, sources: [], memoryLimit: '100MB', threads: 1 });
       console.log('open');
       setInterval(() => {}, 1000);`,
    ]);
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    await expect(openStore({ ...options, dataDir })).rejects.toThrow(
      expect.objectContaining({
        kind: 'locked',
        message: expect.stringContaining(`in use by another process (pid ${holder.pid})`),
      }),
    );
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    await openTestStore(dataDir, source);
  });

  test('is refused for a file that is not a store', async () => {
    const dataDir = await temporaryFolder();
    const file = join(dataDir, 'store.duckdb');
    await writeFile(file, 'x'.repeat(5000));
    await expect(openStore({ ...options, dataDir })).rejects.toThrow(
      expect.objectContaining({ kind: 'format' }),
    );
    await expect(openStore({ ...options, dataDir: file })).rejects.toThrow(
      expect.objectContaining({ kind: 'files' }),
    );
  });

  test('that is a folder is refused by its path', async () => {
    const dataDir = await temporaryFolder();
    const file = join(dataDir, 'store.duckdb');
    await mkdir(file);
    await expect(openStore({ ...options, dataDir })).rejects.toThrow(
      expect.objectContaining({ kind: 'files', message: `${file} is not a file` }),
    );
  });

  test('is refused, by its path, when it was cut short', async () => {
    const dataDir = await temporaryFolder();
    const store = await openTestStore(dataDir, source);
    await store.append(source, batchOf({ id: 'a', timestamp: '2024-01-01T00:00:00Z' }), {
      origin: 'imported',
    });
    await store.close();
    const file = join(dataDir, 'store.duckdb');
    await truncate(file, 20_000);
    await expect(openStore({ ...options, dataDir })).rejects.toThrow(
      expect.objectContaining({ kind: 'format', message: `the store ${file} is damaged` }),
    );
  });

  test.each([
    ['tables of something else', 'CREATE TABLE t (a INTEGER)', 'is not a store'],
    [
      'another format',
      `CREATE SCHEMA meta; CREATE TABLE meta.facts AS SELECT 'format' AS name, '99' AS value`,
      /has format 99, written by a newer version of the gateway\. This is version \S+ of the gateway, which reads formats 1, 2 and 3/,
    ],
  ])('is refused for a file with %s', async (_what, sql, message) => {
    const dataDir = await temporaryFolder();
    const instance = await DuckDBInstance.create(join(dataDir, 'store.duckdb'));
    const connection = await instance.connect();
    await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
    await expect(openStore({ ...options, dataDir })).rejects.toThrow(
      expect.objectContaining({ kind: 'format', message: expect.stringMatching(message) }),
    );
  });
});
