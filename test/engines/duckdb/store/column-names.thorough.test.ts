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

/** Names that the SQL for DuckDB has for columns and tables of its own. */
const names = ['place', 'key', 'wanted', 't', 'r', 'e', 'c0', 'k0', 'o0', 'v0', 'is_included', 'row_of_pair'];
const source = makeSource(
  'logs',
  ...names.map((name) => ({ name, type: 'STRING' })),
  { name: 'tags', type: 'STRING', mode: 'REPEATED' },
  { name: 'm', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'place', type: 'STRING' }] },
);

test.each(['', 'WHERE l.id = "a"', 'ORDER BY l.timestamp DESC', 'ORDER BY l.id LIMIT 1'])(
  'columns may have names that the SQL for DuckDB uses: SELECT … %s',
  async (end) => {
    const store = await openTestStore(await temporaryFolder(), source);
    const values = Object.fromEntries(names.map((name) => [name, `of ${name}`]));
    const row = { id: 'a', timestamp: '2026-01-01T12:00:00', ...values, tags: ['x'], m: [{ place: 'y' }] };
    await store.append(source, batchOf(row), { origin: 'imported' });
    const engine = await DuckDbEngine.open({ store, now: () => 0n });
    try {
      const sql = `SELECT ${names.map((name) => `l.${name}`).join(', ')}, l.tags, l.m FROM logs.logs AS l ${end}`;
      const parameters = new Map();
      const statement = await analyzer.analyze(sql, { catalog: sourceCatalog([source]), parameters });
      const columns = resultColumns(statement);
      const plan = newPlan({ isCallers: false, sql, statement, columns, parameters });
      const { signal } = new AbortController();
      const { rows } = await engine.run({ plan, parameters, maxRows: 10, signal });
      expect(await rows.all()).toEqual([[...names.map((name) => `of ${name}`), ['x'], [['y']]]]);
    } finally {
      await engine.close();
    }
  },
);
