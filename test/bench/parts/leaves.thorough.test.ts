import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareLeaves } from '../../../bench/parts/leaves.ts';
import { MeasurementError } from '../../../bench/proof.ts';
import { insertRows, storeFile } from '../../../bench/store/bench-store.ts';
import { edgeLogs } from '../../../bench/store/shipped-sources.ts';
import { allRowsSql } from '../../../src/engines/duckdb/store/tables/row-table.ts';
import { type TinyStore, tinyStore } from '../tiny-store.ts';

describe('the comparison with SQL over the flat table', () => {
  let store: TinyStore;
  beforeAll(async () => {
    store = await tinyStore();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  function run(cacheSeconds = 0, print: (text: string) => void = () => undefined) {
    return compareLeaves({
      dataDir: store.dataDir,
      now: store.now,
      cacheSeconds,
      verbose: true,
      print,
      runs: { warmUps: 0, leastRuns: 2, maxRuns: 2, budgetMs: 0 },
    });
  }

  it('measures every query, each against SQL that reads the flat table alone', async () => {
    const printed: string[] = [];
    const findings = await run(0, (text) => printed.push(text));
    expect(findings.map(({ what, target }) => [what, target])).toEqual([
      ['usage.api-counts minutely', '<= x 1.5 + 4 ms'],
      ['usage.api-counts hourly', '<= x 1.5 + 4 ms'],
      ['usage.api-counts daily', '<= x 1.5 + 4 ms'],
      ['top paths', '<= x 1.5 + 4 ms'],
      ['errors by hour', '<= x 1.5 + 4 ms'],
      ['a percentile by path', '<= x 1.5 + 4 ms'],
      ['count of errors', '<= x 1.5 + 4 ms'],
      ['newest of logs.all, busy project', '<= x 2 + 8 ms'],
      ['newest of logs.all, quiet project', '<= x 2 + 8 ms'],
      ['newest of logs.all, unknown project', '<= x 2 + 8 ms'],
    ]);
    for (const { detail } of findings) expect(detail).toMatch(/; the same \d+ rows; 3 engine runs$/);
    const rows = findings.map(({ detail }) => Number(/the same (\d+) rows/.exec(detail)?.[1]));
    expect(rows.slice(2, 8).every((count) => count > 0)).toBe(true);
    expect(rows.at(-1)).toBe(0);
    const byHand = printed.map((text) => text.split(', by hand')[1]);
    expect(byHand).toHaveLength(10);
    for (const sql of byHand) {
      expect(sql).toContain('FROM flat.edge_logs');
      expect(sql).not.toContain('UNION');
    }
  });

  it('fails when answers come from the cache', async () => {
    const failure = run(60);
    await expect(failure).rejects.toThrow(/statements that were seen: expected 3, found 1$/);
    await expect(failure).rejects.toThrow(MeasurementError);
  });

  it('fails when rows have no flat form: the gateway finds them in their other table', async () => {
    const instance = await DuckDBInstance.create(storeFile(store.dataDir));
    const connection = await instance.connect();
    const source = await edgeLogs();
    const twice = `SELECT * REPLACE (metadata || metadata AS metadata) FROM ${allRowsSql(source)} ORDER BY "timestamp" DESC LIMIT 500`;
    await insertRows(connection, source, twice);
    connection.closeSync();
    instance.closeSync();
    await expect(run()).rejects.toThrow('the hand-written SQL does not give the same rows');
  });
});
