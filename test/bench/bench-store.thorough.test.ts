import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BenchStoreOptions, benchStore } from '../../bench/store/bench-store.ts';
import { importFile } from '../../bench/store/import-file.ts';
import { projectRef, projectRefSql } from '../../bench/store/projects.ts';
import { edgeLogs, shippedSources } from '../../bench/store/shipped-sources.ts';
import type { Source } from '../../src/definitions/sources/source.ts';
import { openStore } from '../../src/engines/duckdb/store/open-store.ts';
import { rowEncoder } from '../support/row-encoder.ts';

const rows = 20_000;
const hour = 3_600_000_000n;
const day = 24n * hour;
const now = BigInt(Date.UTC(2026, 4, 4, 12)) * 1000n;

describe("the benchmark's store", () => {
  let folder: string;
  let dataDir: string;
  let sources: readonly Source[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-store-'));
    sources = await shippedSources();
    dataDir = await make();
  });
  afterAll(() => rm(folder, { recursive: true }));

  function make(options: Partial<BenchStoreOptions> = {}): Promise<string> {
    return benchStore({ folder, rows, now, ...options });
  }

  async function ask(sql: string): Promise<unknown[]> {
    const store = await openStore({ dataDir, sources, memoryLimit: '500MB', threads: 2 });
    const connection = await store.connect();
    const [row = []] = (await connection.runAndReadAll(sql)).getRows();
    connection.closeSync();
    await store.close();
    return row;
  }

  const extent = 'SELECT count(*), epoch_us(min(timestamp)), epoch_us(max(timestamp)) FROM flat.edge_logs';

  it('reaches over thirty days up to the present, in order', async () => {
    const [count, oldest, newest] = await ask(extent);
    expect(count).toBe(BigInt(rows));
    expect(oldest).toBeGreaterThanOrEqual(now - 30n * day);
    expect(oldest).toBeLessThan(now - 30n * day + hour);
    expect(newest).toBeLessThan(now);
    expect(newest).toBeGreaterThan(now - hour);
    const outOfOrder = `SELECT count(*) FROM (
      SELECT timestamp < lag(timestamp) OVER (ORDER BY rowid) AS falls FROM flat.edge_logs) WHERE falls`;
    expect(await ask(outOfOrder)).toEqual([0n]);
  });

  it('has ids of its own and unevenly busy projects', async () => {
    const [ids] = await ask('SELECT count(DISTINCT id) FROM flat.edge_logs');
    expect(ids).toBe(BigInt(rows));
    const [share] = await ask(
      `SELECT count(*) FILTER (project = '${projectRef(0)}') / count(*) FROM flat.edge_logs`,
    );
    expect(share).toBeGreaterThan(0.08);
    expect(share).toBeLessThan(0.12);
    expect(await ask(`SELECT ${projectRefSql('417')}`)).toEqual([projectRef(417)]);
  });

  it('is used again, with the rows of the meantime added', async () => {
    await make({ now: now + day });
    const [count, oldest, newest] = await ask(extent);
    expect(Number(count)).toBeGreaterThan(rows * (1 + 0.9 / 30));
    expect(Number(count)).toBeLessThan(rows * (1 + 1.1 / 30));
    expect(oldest).toBeLessThan(now - 29n * day);
    expect(newest).toBeGreaterThan(now + day - hour);
  });

  it('is created again when it is old', async () => {
    await make({ now: now + 10n * day });
    const [count, oldest] = await ask(extent);
    expect(count).toBe(BigInt(rows));
    expect(oldest).toBeGreaterThanOrEqual(now - 20n * day);
  });

  it('is importable as a file, too', async () => {
    const file = join(folder, 'rows.ndjson');
    await importFile(file, { rows: 1_000, now });
    const encode = rowEncoder(await edgeLogs());
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(1_000);
    for (const line of lines) encode(line);
  });
});
