import { sourceCatalog } from '../../app/schema/source-catalog.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { sourceOfTable, sqlOfSource } from '../../definitions/sources/source.ts';
import { unstorableColumns } from '../../engines/duckdb/store/tables/source-table.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { identifier } from '../../sql/text/identifier.ts';
import { constantSql } from '../../sql/text/sql-text.ts';
import { packed } from '../../sql/values/packed.ts';
import type { SqlType } from '../../sql/values/type.ts';
import type { Row } from '../../sql/values/value.ts';
import { CaseStore, haveSameRows } from './case-store.ts';
import type { ReadyCase } from './load-tests.ts';

/** Writes the rows of cases as constants. The embedded engine reads them, so that their values are those of an import. */
export class RowConstants implements AsyncDisposable {
  /** Those of the project. */
  readonly #sources: readonly Source[];
  readonly #cases: CaseStore;
  readonly #planner: LocalPlanner;
  /** The relations that were written last, by source, and the rows that they have. Cases often share their rows. */
  #written: { readonly rows: ReadyCase['rows']; readonly relations: ReadonlyMap<string, string> } | undefined;

  private constructor(sources: readonly Source[], cases: CaseStore, planner: LocalPlanner) {
    this.#sources = sources;
    this.#cases = cases;
    this.#planner = planner;
  }

  static async open(sources: readonly Source[], analyzer: Analyzer): Promise<RowConstants> {
    return new RowConstants(
      sources,
      await CaseStore.open(sources.filter((source) => unstorableColumns(source).length === 0)),
      new LocalPlanner(analyzer),
    );
  }

  /** Why the rows of a case can't be written, if they can't. */
  static refusal(rows: ReadyCase['rows']): string | undefined {
    const [column] = rows.flatMap(({ source }) => unstorableColumns(source));
    return column && `rows can't be given on BigQuery, because they are read as by an import: ${column}`;
  }

  /** Returns the rows of each source as a relation in GoogleSQL, by the source's name in SQL. */
  async of(rows: ReadyCase['rows'], signal: AbortSignal): Promise<(table: string) => string> {
    if (this.#written === undefined || !haveSameRows(rows, this.#written.rows))
      this.#written = { rows, relations: await this.#relations(rows, signal) };
    const { relations } = this.#written;
    return (table) => relations.get(sourceOfTable(table).name) ?? '';
  }

  async #relations(rows: ReadyCase['rows'], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    await this.#cases.use(rows, 0n);
    const relations = new Map<string, string>();
    for (const source of this.#sources) {
      const isGiven = rows.some((each) => each.source.name === source.name);
      relations.set(source.name, relationSql(source, isGiven ? await this.#rowsOf(source, signal) : []));
    }
    return relations;
  }

  async #rowsOf(source: Source, signal: AbortSignal): Promise<readonly Row[]> {
    const columns = source.columns.map(({ name }) => identifier(name));
    const sql = `SELECT ${columns.join(', ')} FROM ${sqlOfSource(source)}`;
    const catalog = packed(sourceCatalog([source]));
    const text = { sql, declared: new Map(), hasTables: false, catalog };
    const { plan, mistake } = await this.#planner.planText(text, signal);
    if (plan === undefined) throw new Error(`${sql}: ${mistake?.message}`);
    const limits = { maxRows: Number.MAX_SAFE_INTEGER, timeoutMs: 60_000 };
    const { rows } = await this.#cases.engine.run({ plan, parameters: new Map(), signal, ...limits });
    return rows.all();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cases[Symbol.asyncDispose]();
  }
}

function relationSql({ columns }: Source, rows: readonly Row[]): string {
  const fields = columns.map(({ name, type }) => ({ name, type }));
  const type: SqlType = { kind: 'ARRAY', element: { kind: 'STRUCT', fields } };
  return `SELECT * FROM UNNEST(${constantSql(type, rows)})`;
}
