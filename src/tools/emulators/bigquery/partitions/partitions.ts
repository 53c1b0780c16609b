import { LRUCache } from 'lru-cache';
import type { DuckDbEngine } from '../../../../engines/duckdb/run/duckdb-engine.ts';
import type { Analyzer } from '../../../../sql/analyzer/analyzer.ts';
import { analyzerOptions } from '../../../../sql/analyzer/language.ts';
import { newPlan } from '../../../../sql/plan/plan.ts';
import type { AnyNode } from '../../../../sql/resolved/node.ts';
import { resultColumns } from '../../../../sql/resolved/result-columns.ts';
import { identifier } from '../../../../sql/text/identifier.ts';
import { catalogProto } from '../tables/catalog.ts';
import { partitionColumns, type ServedTable, tableName } from '../tables/served-table.ts';

/** The rows of a table with a day. */
export interface Partition {
  /** `2026-01-31`. Undefined for rows without a time. */
  readonly day: string | undefined;
  readonly rows: number;
}

interface PartitionsOptions {
  readonly analyzer: Pick<Analyzer, 'call'>;
  readonly engine: Pick<DuckDbEngine, 'run'>;
  readonly rowCount: (source: string) => Promise<number>;
}

const maxRows = 1_000_000;

/** Counts the rows of tables by day, which is how they are partitioned. A table with as many rows as before has the same ones. */
export class Partitions {
  readonly #options: PartitionsOptions;
  readonly #counted = new LRUCache<
    ServedTable,
    { readonly rows: number; readonly days: readonly Partition[] }
  >({
    max: 1_000,
  });

  constructor(options: PartitionsOptions) {
    this.#options = options;
  }

  /** Those of a table. Undefined if it isn't partitioned. */
  async of(table: ServedTable): Promise<readonly Partition[] | undefined> {
    const time = table.timeColumn;
    if (time === undefined || partitionColumns(table).length === 0) return undefined;
    const rows = await this.#options.rowCount(table.source);
    const known = this.#counted.get(table);
    if (known?.rows === rows) return known.days;
    const days = rows === 0 ? [] : await this.#count(table, time);
    this.#counted.set(table, { rows, days });
    return days;
  }

  async #count(table: ServedTable, time: string): Promise<readonly Partition[]> {
    const { analyzer, engine } = this.#options;
    const sql = `SELECT CAST(CAST(${identifier(time)} AS DATE) AS STRING), COUNT(*) FROM \`${tableName(table).replace(':', '.')}\` GROUP BY 1`;
    const answer = await analyzer.call('analyze', {
      sql_statement: sql,
      simple_catalog: catalogProto([table], table),
      options: analyzerOptions(new Map()),
    });
    const { resolved_statement: statement } = answer as { resolved_statement: AnyNode };
    const parameters = new Map();
    const columns = resultColumns(statement);
    const plan = newPlan({ sql, statement, columns, parameters, isCallers: false });
    const { signal } = new AbortController();
    const { rows } = await engine.run({ plan, parameters, maxRows, signal });
    return (await rows.all()).map(([day, count]) => ({
      day: typeof day === 'string' ? day : undefined,
      rows: Number(count),
    }));
  }
}
