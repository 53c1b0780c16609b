import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { CompiledQuery } from '../../../../src/engines/duckdb/compiled/compiled-query.ts';
import { fixed } from '../../../../src/engines/duckdb/dialect/constant.ts';
import { duckType, quoteIdentifier } from '../../../../src/engines/duckdb/dialect/duck-type.ts';
import { literalSql } from '../../../../src/engines/duckdb/dialect/literal.ts';
import { emitExpression, emitQuery } from '../../../../src/engines/duckdb/emit/emit-query.ts';
import type { EmitContext, EmittedQuery } from '../../../../src/engines/duckdb/emit/emitter/context.ts';
import { maxLateRows } from '../../../../src/engines/duckdb/emit/max-late-rows.ts';
import { callCount } from '../../../../src/engines/duckdb/emit/tree/call-count.ts';
import { isVolatile } from '../../../../src/engines/duckdb/emit/volatile/is-volatile.ts';
import {
  type ConstantQuestion,
  ConstantTable,
  type Known,
  KnownConstants,
} from '../../../../src/engines/duckdb/fold/constant-table.ts';
import { foldConstants } from '../../../../src/engines/duckdb/fold/fold-constants.ts';
import { installMacros } from '../../../../src/engines/duckdb/macros/install.ts';
import { runInterruptibly } from '../../../../src/engines/duckdb/run/interruptible.ts';
import { decoderOf } from '../../../../src/engines/duckdb/run/rows/decode.ts';
import { type Execute, RowReader, readRows } from '../../../../src/engines/duckdb/run/rows/read-rows.ts';
import { lockDown } from '../../../../src/engines/duckdb/store/database/open-database.ts';
import { fitsFlat, flatColumns } from '../../../../src/engines/duckdb/store/tables/flat-layout.ts';
import { listColumns } from '../../../../src/engines/duckdb/store/tables/list-layout.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import {
  type Catalog,
  type CatalogFunction,
  catalogToProto,
  withFunctions,
} from '../../../../src/sql/analyzer/catalog.ts';
import { analyzerOptions } from '../../../../src/sql/analyzer/language.ts';
import { readFunctions } from '../../../../src/sql/analyzer/stored-functions.ts';
import { type AnyNode, asList, asMessage } from '../../../../src/sql/resolved/node.ts';
import { ResolvedNode } from '../../../../src/sql/resolved/resolved-node.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import { valueFromProto } from '../../../../src/sql/resolved/value-from-proto.ts';
import { rewritePlaced } from '../../../../src/sql/rewrite/rewrite-text.ts';
import { queryOnly } from '../../../../src/sql/text/query-only.ts';
import type { Column, SqlType } from '../../../../src/sql/values/type.ts';
import type { Row, Value } from '../../../../src/sql/values/value.ts';
import { corpusTables } from './corpus-tables.ts';
import { daysOfWildcards } from './days-of-wildcards.ts';
import { evaluatedFunctions } from './evaluated-functions.ts';
import { type TestTable, tables as testTables } from './tables.ts';
import { valueToProto } from './value-to-proto.ts';

export type Parameters = ReadonlyMap<string, { readonly type: SqlType; readonly value: Value }>;

/** A text in the analyzer's syntax, apart from the functions that it begins with. */
interface ReadText {
  /** With white space in place of the functions, unless it is rewritten. */
  readonly query: string;
  readonly functions: readonly CatalogFunction[];
  /** The definitions of the functions. */
  readonly definitions: string;
}

const allColumns = ({ columns, pseudoColumns = [] }: TestTable) => [...columns, ...pseudoColumns];

/** What queries see as the present: a time of this month, as casts with FORMAT take the month from the evaluator's clock. */
const now = BigInt(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 20, 6)) * 1000n;

/** As the store has them, the rows that fit in flat form and the others. */
const flatTableSql = (name: string) => quoteIdentifier(`flat ${name}`);
const listTable = (name: string) => quoteIdentifier(`lists ${name}`);

function inTwoForms(name: string, columns: readonly Column[]): string {
  const values = flatColumns(columns).map(({ name, value }) => `${value} AS ${quoteIdentifier(name)}`);
  const lists = listColumns(columns).map(({ name, value }) => `${value} AS ${quoteIdentifier(name)}`);
  const rows = quoteIdentifier(name);
  const fits = fitsFlat(columns);
  return `CREATE TABLE ${flatTableSql(name)} AS SELECT ${values.join(', ')} FROM ${rows} WHERE ${fits};
    CREATE TABLE ${listTable(name)} AS SELECT ${lists.join(', ')} FROM ${rows} WHERE NOT (${fits})`;
}

function catalogOf(tables: readonly TestTable[]): Catalog {
  return {
    tables: tables.map(({ name, columns, pseudoColumns = [] }) => {
      const [first = '', second] = name.split('.');
      return { path: second === undefined ? [first] : [first, second], columns, pseudoColumns };
    }),
  };
}

/** The rows of a table in the evaluator's form. */
function contentOf(table: TestTable): object {
  const columns = allColumns(table);
  const cells = (row: Row) => columns.map(({ type }, i) => valueToProto(type, row[i] ?? null));
  return { table_data: { row: table.rows.map((row) => ({ cell: cells(row) })) } };
}

/**
 * The same query on the same rows, once by the analyzer's own reference evaluator and once by DuckDB from
 * emitted SQL.
 */
export class Differential implements AsyncDisposable {
  readonly analyzer: Analyzer;
  readonly #connection: DuckDBConnection;
  readonly #catalog: Catalog;
  readonly #tables: readonly TestTable[];
  readonly #keptConstants = new KnownConstants();
  /** How many queries were compiled, and used for another time. */
  compiled = 0;
  #last: { readonly sql: string; readonly parameters: Parameters; readonly statement: AnyNode } | undefined;

  private constructor(analyzer: Analyzer, connection: DuckDBConnection, tables: readonly TestTable[]) {
    this.analyzer = analyzer;
    this.#connection = connection;
    this.#tables = tables;
    this.#catalog = catalogOf(tables);
  }

  static async start(tables: readonly TestTable[] = [...testTables, ...corpusTables]): Promise<Differential> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
    await lockDown(instance);
    const connection = await instance.connect();
    await installMacros(connection);
    for (const table of tables) {
      const { name, rows } = table;
      const columns = allColumns(table);
      const definitions = columns.map((column) => `${quoteIdentifier(column.name)} ${duckType(column.type)}`);
      await connection.run(`CREATE TABLE ${quoteIdentifier(name)} (${definitions.join(', ')})`);
      const tuples = rows.map((row) =>
        columns.map(({ type }, i) => literalSql(type, row[i] ?? null)).join(', '),
      );
      await connection.run(`INSERT INTO ${quoteIdentifier(name)} VALUES (${tuples.join('), (')})`);
      await connection.run(inTwoForms(name, columns));
    }
    return new Differential(await Analyzer.start(), connection, tables);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.closeSync();
    await this.analyzer.close();
  }

  /** A query is mostly asked about several times in a row. */
  async #analyze(sql: string, parameters: Parameters = new Map()): Promise<AnyNode> {
    if (this.#last?.sql === sql && this.#last.parameters === parameters) return this.#last.statement;
    const types = new Map([...parameters].map(([name, { type }]) => [name, type]));
    const { query, functions } = await this.#read(sql, types);
    const catalog = withFunctions(this.#catalog, functions);
    const statement = await this.analyzer.analyze(query, { catalog, parameters: types });
    this.#last = { sql, parameters, statement };
    return statement;
  }

  /** The names of a query's columns. */
  async columns(sql: string): Promise<readonly string[]> {
    return (await this.resultColumns(sql)).map(({ name }) => name);
  }

  async resultColumns(sql: string): Promise<readonly Column[]> {
    return resultColumns(await this.#analyze(sql, new Map()));
  }

  /** The query in the analyzer's syntax, with white space in place of its functions. */
  async rewritten(sql: string, parameters: Parameters = new Map()): Promise<string> {
    return (await this.text(sql, parameters)).query;
  }

  /** The query in the analyzer's syntax, and the definitions of its functions. */
  async text(sql: string, parameters: Parameters = new Map()): Promise<ReadText> {
    const types = new Map([...parameters].map(([name, { type }]) => [name, type]));
    return this.#read(sql, types);
  }

  /** The type and the value of a literal. */
  async constant(literal: string): Promise<{ readonly type: SqlType; readonly value: Value }> {
    const sql = `select ${literal}`;
    const [type] = (await this.resultColumns(sql)).map((column) => column.type);
    const [row] = await this.actual(sql);
    if (type === undefined) throw new TypeError(`No value: ${literal}`);
    return { type, value: row?.[0] ?? null };
  }

  async #read(sql: string, parameters: ReadonlyMap<string, SqlType>): Promise<ReadText> {
    const { functions, end } = await readFunctions(sql, [], this.analyzer);
    const catalog = withFunctions(this.#catalog, functions);
    const text = queryOnly({ sql, functionsEnd: end });
    const { sql: query } = await rewritePlaced(
      { sql: text },
      { analyzer: this.analyzer, catalog, parameters },
    );
    return { query, functions, definitions: Buffer.from(sql).subarray(0, end).toString() };
  }

  /** The emitted SQL of a query. */
  async emit(
    sql: string,
    parameters: Parameters = new Map(),
    options: Partial<EmitContext> = {},
  ): Promise<EmittedQuery> {
    const statement = await this.#analyze(sql, parameters);
    const context = { ...this.#contextOf(statement, parameters), hasBorder: false };
    return emitQuery(statement, { ...context, tableSql: quoteIdentifier, ...options });
  }

  #contextOf(statement: AnyNode, parameters: Parameters) {
    return {
      parameters: new Map([...parameters].map(([name, { value }]) => [name, fixed(value)])),
      now: fixed(now),
      callCount: callCount(statement),
      isVolatile: isVolatile(statement),
    };
  }

  /** The rows that DuckDB gives for a query whose constants were computed beforehand, as the engine does it. */
  async folded(sql: string, parameters: Parameters = new Map()): Promise<readonly Row[]> {
    const statement = await this.#analyze(sql, parameters);
    const context = {
      ...this.#contextOf(statement, parameters),
      ...{ tableSql: listTable, flatTableSql, hasBorder: true },
    };
    const constants = new ConstantTable({
      emit: (expression) => emitExpression(expression, context),
      parameters: context.parameters,
      kept: this.#keptConstants,
    });
    const evaluate = (questions: readonly ConstantQuestion[]) =>
      Promise.all(questions.map((question) => this.#answer(question)));
    const folded = await foldConstants(statement, constants, evaluate);
    // With a limit, columns that are only passed on are read last, as by the engine.
    const limited = { ...context, rowLimit: maxLateRows };
    const emitted = emitQuery(folded, limited);
    // Most stores have no rows in lists. Such SQL has fewer parts, each of which must read the whole tree.
    emitQuery(folded, { ...limited, isFlatOnly: () => true });
    await this.#compileFor(now + 7_200_000_001n, statement, limited, constants, emitted);
    const rows = await this.execute(emitted);
    return rows.length < maxLateRows ? rows : this.execute(emitQuery(folded, context));
  }

  /** Compiles a query, and fails if it comes to other SQL for another time than emitting it would. */
  async #compileFor(
    later: bigint,
    statement: AnyNode,
    context: EmitContext,
    constants: ConstantTable,
    emitted: EmittedQuery,
  ): Promise<void> {
    const compiled = CompiledQuery.of(statement, context, (question) => constants.recall(question), emitted);
    const evaluate = (questions: readonly ConstantQuestion[]) =>
      Promise.all(questions.map((question) => this.#answer(question)));
    const literals = await compiled?.bind(context.parameters, later, evaluate);
    if (compiled === undefined || literals === undefined) return;
    const anew: EmitContext = { ...context, now: fixed(later) };
    const table = new ConstantTable({
      emit: (expression) => emitExpression(expression, anew),
      parameters: anew.parameters,
      kept: new KnownConstants(),
    });
    const expected = emitQuery(await foldConstants(statement, table, evaluate), anew).sql;
    this.compiled++;
    if (compiled.withLiterals(literals, () => false)?.sql !== expected)
      throw new Error(`Compiled SQL differs from ${expected}`);
  }

  async #answer({ sql, type }: ConstantQuestion): Promise<Known> {
    try {
      const reader = await this.#connection.runAndReadAll(`SELECT ${sql}`);
      return { value: decoderOf(type)(reader.getRows()[0]?.[0] ?? null) };
    } catch (error) {
      return { error: String(error) };
    }
  }

  /** The functions that a query calls, by the analyzer's names in lower case. */
  async functions(sql: string, parameters: Parameters = new Map()): Promise<ReadonlySet<string>> {
    const statement = await this.#analyze(sql, parameters);
    const names = JSON.stringify(statement).matchAll(/"name":"(?:ZetaSQL|Gateway):([^"]+)"/g);
    return new Set([...names].map(([, name = '']) => name.toLowerCase()));
  }

  /** The rows of emitted SQL. */
  async execute(query: EmittedQuery): Promise<readonly Row[]> {
    const execute: Execute = (sql, take, isSmall) =>
      runInterruptibly(this.#connection, sql, new AbortController().signal, take, isSmall);
    const rows: Row[] = [];
    await readRows(query, execute, new RowReader(), (more) => void rows.push(...more));
    return rows;
  }

  /** The rows of any DuckDB SQL, as DuckDB gives them in JSON form. */
  async duckdb(sql: string): Promise<readonly unknown[][]> {
    return (await this.#connection.runAndReadAll(sql)).getRowsJson();
  }

  /** The rows that DuckDB gives for a query. */
  async actual(sql: string, parameters: Parameters = new Map()): Promise<readonly Row[]> {
    return this.execute(await this.emit(sql, parameters));
  }

  /** The rows that the reference evaluator gives for a query. */
  async expected(sql: string, parameters: Parameters = new Map()): Promise<readonly Row[]> {
    const types = new Map([...parameters].map(([name, { type }]) => [name, type]));
    const options = analyzerOptions(types);
    const { query, functions, definitions } = await this.#read(sql, types);
    // All of them, which are read from the call each time, take as long as the query.
    const tables = [...this.#tables, ...daysOfWildcards(this.#tables, query)].filter(({ name }) =>
      query.toLowerCase().includes(name.toLowerCase()),
    );
    const answer = await this.analyzer.call('evaluateQuery', {
      sql: query,
      simple_catalog: catalogToProto(
        withFunctions(catalogOf(tables), evaluatedFunctions(functions, definitions)),
      ),
      table_content: Object.fromEntries(tables.map((table) => [table.name, contentOf(table)])),
      params: [...parameters].map(([name, { type, value }]) => ({ name, value: valueToProto(type, value) })),
      // The evaluator knows none of them, so the analyzer has to rewrite them for it.
      options: {
        ...options,
        enabled_rewrites: [
          ...options.enabled_rewrites,
          'REWRITE_GROUPING_SET',
          'REWRITE_WITH_EXPR',
          'REWRITE_LIKE_ANY_ALL',
        ],
      },
    });
    const statement = await this.#analyze(sql, parameters);
    const outputs = new ResolvedNode(statement).list('output_column_list');
    const columns = outputs.map((output) => output.column('column'));
    const content = asMessage(asMessage(answer, 'answer').content, 'content');
    return asList(asMessage(content.table_data ?? {}, 'table_data').row, 'row').map((row) =>
      asList(asMessage(row, 'row').cell, 'cell').map((cell, i) =>
        valueFromProto(columns[i]?.type ?? { kind: 'STRING' }, asMessage(cell, 'cell')),
      ),
    );
  }
}

/**
 * Rows as text, to compare: floating point to 13 digits, for sums depend on the order of their parts, and in
 * the order of the text unless `ordered`.
 */
export function comparable(rows: readonly Row[], ordered: boolean): readonly string[] {
  const texts = rows.map((row) => JSON.stringify(row.map(plain)));
  return ordered ? texts : texts.sort();
}

function plain(value: Value): unknown {
  if (Array.isArray(value)) return value.map((part: Value) => plain(part));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return `${value} as a number`;
  return Object.is(value, -0) ? 0 : Number(value.toPrecision(13));
}
