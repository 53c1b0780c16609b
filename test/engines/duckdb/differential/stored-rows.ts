import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { DuckDbEngine } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import type { RowBatch } from '../../../../src/engines/duckdb/store/insert/row-batch.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import type { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import type { Row, Value } from '../../../../src/sql/values/value.ts';
import { ingestBatch, type TestRow } from '../store/ingest-batches.ts';
import { makeSource } from '../store/make-source.ts';
import type { TestTable } from './tables.ts';

const columns = [
  { name: 'k', type: 'INT64' },
  { name: 'f', type: 'FLOAT64' },
  { name: 's', type: 'STRING' },
  { name: 'tags', type: 'STRING', mode: 'REPEATED' },
  {
    name: 'items',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'n', type: 'INT64' },
      { name: 'name', type: 'STRING' },
      { name: 'subs', type: 'INT64', mode: 'REPEATED' },
    ],
  },
];

type Item = readonly [n: number | null, name: string | null, subs: readonly number[]];
type Cells = readonly [
  k: number | string | null,
  f: number | string | null,
  s: string | null,
  tags: readonly string[],
  items: readonly Item[],
];

const extremes: readonly Cells[] = [
  [null, null, null, [], []],
  [0, -0, '', [''], [[null, null, []]]],
  [1, 1.5, 'a', ['a'], [[1, 'a', [1]]]],
  [1, 1.5, 'a', ['a'], [[1, 'a', [1]]]],
  [2, 'NaN', 'b', [], [[2, 'b', []]]],
  [null, 'Infinity', 'B', ['ü'], []],
  [-1, '-Infinity', 'ab', ['b'], [[null, 'ü', [7]]]],
  [7, 0.25, '😀', [], [[7, null, [0]]]],
  [3, null, 'ü', ['😀'], []],
  [3, -2.5, null, [], [[3, '', [2]]]],
  ['9223372036854775807', 1.5, 'a', [], []],
  ['-9223372036854775808', 0.25, null, ['a'], [[-1, 'ab', []]]],
];
/** Lists of several elements, which the store keeps apart from the others. */
const withLists: readonly Cells[] = [
  [1, 0.25, 'b', ['a', 'b', 'a'], [[1, 'a', [1, 2]]]],
  [
    2,
    null,
    'a',
    ['a', ''],
    [
      [2, 'b', [3]],
      [null, null, []],
      [2, 'b', [3]],
    ],
  ],
  [
    null,
    1.5,
    'a',
    [],
    [
      [0, 'ü', [0, 0, 7]],
      [1, 'a', []],
    ],
  ],
  [0, 'NaN', null, ['ü', '😀'], []],
];

/** `t1` has rows with longer lists, `t2` has none. */
const contents: ReadonlyMap<string, readonly Cells[]> = new Map([
  ['t1', [...extremes.slice(0, 8), ...withLists]],
  ['t2', extremes.slice(2)],
]);

const storedType = new Map<string, Source>(
  [...contents.keys()].map((name) => [name, makeSource(name, ...columns)]),
);

const minute = (index: number) => `2026-01-01T12:${String(index % 60).padStart(2, '0')}:00Z`;

function jsonRow(index: number, [k, f, s, tags, items]: Cells): TestRow {
  const records = items.map(([n, name, subs]) => ({ n, name, subs }));
  return { id: `r${index}`, timestamp: minute(index), k, f, s, tags, items: records };
}

function valuesOf(index: number, [k, f, s, tags, items]: Cells): Row {
  const int = (value: number | string | null): Value => (value === null ? null : BigInt(value));
  const records = items.map(([n, name, subs]): Value => [int(n), name, subs.map(int)]);
  const time = BigInt(Date.parse(minute(index))) * 1000n;
  return [`r${index}`, time, int(k), f === null ? null : Number(f), s, [...tags], records];
}

/** The stored rows, for the reference evaluator. */
export const storedTables: readonly TestTable[] = [...contents].map(([name, rows]) => ({
  name,
  columns: storedType.get(name)?.columns ?? [],
  rows: rows.map((cells, index) => valuesOf(index, cells)),
}));

/** How rows come into a store: in requests, whose rows are then in the write-ahead log, or in imports, or both. */
const layouts = {
  'in the write-ahead log': { logBytes: 1e9, requests: () => true, reads: 'behind a border' },
  'after a checkpoint': { logBytes: 1e9, requests: () => false, reads: 'tables' },
  'after compaction, with later rows in the log': {
    logBytes: 1,
    requests: (index: number) => index % 3 > 0,
    reads: 'a WITH clause',
  },
};
export type Layout = keyof typeof layouts;

const catalog = sourceCatalog([...storedType.values()]);
const tablesInWith = 'with t1 as (select k, f, s, tags, items from logs.t1), t2 as (select * from logs.t2)';

/** The same rows in stores of several layouts. */
export class StoredRows implements AsyncDisposable {
  readonly #analyzer: Analyzer;
  readonly #disposal: AsyncDisposableStack;
  readonly #engines: ReadonlyMap<Layout, DuckDbEngine>;

  private constructor(
    analyzer: Analyzer,
    engines: ReadonlyMap<Layout, DuckDbEngine>,
    disposal: AsyncDisposableStack,
  ) {
    this.#analyzer = analyzer;
    this.#engines = engines;
    this.#disposal = disposal;
  }

  static async open(analyzer: Analyzer): Promise<StoredRows> {
    await using disposal = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'stored-rows-'));
    disposal.defer(() => rm(folder, { recursive: true }));
    const engines = new Map<Layout, DuckDbEngine>();
    for (const layout of Object.keys(layouts) as Layout[]) {
      const { logBytes, requests } = layouts[layout];
      const sources = [...storedType.values()];
      const dataDir = join(folder, String(engines.size));
      const store = await openStore({ dataDir, sources, memoryLimit: '500MB', threads: 2, logBytes });
      disposal.defer(() => store.close());
      for (const [name, rows] of contents) await addRows(store, name, rows, requests);
      const engine = await DuckDbEngine.open({ store, now: () => 0n });
      disposal.defer(() => engine.close());
      engines.set(layout, engine);
    }
    return new StoredRows(analyzer, engines, disposal.move());
  }

  /** The layouts in which rows are. */
  get layouts(): readonly Layout[] {
    return [...this.#engines.keys()];
  }

  /**
   * The rows that a query gives. It reads the tables in three ways: as an endpoint's query, with the tables in a WITH clause, and
   * as a caller's behind such a clause, with the border that keeps its rows apart.
   */
  async run(sql: string, layout: Layout): Promise<readonly Row[]> {
    const { reads } = layouts[layout];
    const text =
      reads === 'tables' ? sql.replace(/\bt[12]\b/g, 'logs.$&') : `${tablesInWith} select * from (${sql})`;
    const parameters = new Map();
    const statement = await this.#analyzer.analyze(text, { catalog, parameters });
    const isCallers = reads === 'behind a border';
    const plan = newPlan({ isCallers, sql: text, statement, columns: resultColumns(statement), parameters });
    const engine = this.#engines.get(layout) as DuckDbEngine;
    const { signal } = new AbortController();
    const { rows } = await engine.run({ plan, parameters, maxRows: 100_000, signal });
    return rows.all();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#disposal.disposeAsync();
  }
}

async function addRows(
  store: Store,
  name: string,
  rows: readonly Cells[],
  isRequest: (index: number) => boolean,
): Promise<void> {
  const source = storedType.get(name) as Source;
  for (const [index, cells] of rows.entries()) {
    const row = jsonRow(index, cells);
    if (isRequest(index)) await store.ingest([ingestBatch(source, [row])]);
    else await store.append(source, batchesOf(source, row), { origin: 'imported' });
  }
}

async function* batchesOf(source: Source, row: TestRow): AsyncGenerator<RowBatch> {
  yield { rows: 1, parts: ingestBatch(source, [row]).parts };
}
