import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { DuckDbEngine } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import { batchOf, makeSource, openTestStore, temporaryFolder } from './support.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer.close());

const source = makeSource('logs', { name: 'n', type: 'INT64' }, { name: 's', type: 'STRING' });

test('rows of a group in which a column is always NULL are found by what is distinct from a value', async () => {
  const store = await openTestStore(await temporaryFolder(), source);
  await store.append(source, batchOf({ id: 'a', timestamp: '2026-01-01T12:00:00' }), { origin: 'imported' });
  const engine = await DuckDbEngine.open({ store, now: () => 0n });
  try {
    for (const condition of [
      'n = 7 OR n IS DISTINCT FROM 7',
      'n < 7 OR NOT (n IS NOT DISTINCT FROM 7)',
      "s = 'a' OR s IS DISTINCT FROM 'a'",
      "NOT (s != 'a' AND s IS NOT DISTINCT FROM 'a')",
    ]) {
      const sql = `SELECT id FROM logs.logs WHERE ${condition}`;
      const parameters = new Map();
      const statement = await analyzer.analyze(sql, { catalog: sourceCatalog([source]), parameters });
      const plan = newPlan({
        isCallers: false,
        sql,
        statement,
        columns: resultColumns(statement),
        parameters,
      });
      const { signal } = new AbortController();
      const { rows } = await engine.run({ plan, parameters, maxRows: 10, signal });
      expect(await rows.all(), condition).toEqual([['a']]);
    }
  } finally {
    await engine.close();
  }
});
