import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Source, SourceColumn } from '../../../../definitions/sources/source.ts';
import { elementType, type SqlType } from '../../../../sql/values/type.ts';
import { duckType, physicalFieldNames, quoteIdentifier } from '../../dialect/duck-type.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { Clustering, spanRows } from '../tables/clustering.ts';
import { keySql } from '../tables/key-sql.ts';
import { structOf } from '../tables/leaves.ts';
import { readBlocks } from '../tables/read-blocks.ts';
import { type RowTable, selectFor } from '../tables/row-table.ts';
import { timeBounds } from '../tables/time-bounds.ts';
import { blockRows, overlapDepth } from '../tables/time-order.ts';
import { textConversion } from './converted-text.ts';
import { type FlatInsert, type FlatRows, flatInsert, flatSignature } from './flat-batch.ts';
import { byTime, insertRows, place } from './insert-rows.ts';
import { placeKey, type WholeRows } from './row-batch.ts';

/**
 * Rows to be added to a source's tables, flat or in the form of the schema: a temporary table of one connection, which
 * DuckDB keeps on disk beyond its memory limit. It ends with the connection.
 */
export class StagedTable {
  /** The table as a relation with the columns `id`, the text of an id, and `place`. Undefined if rows have no ids. */
  readonly ids: string | undefined;
  readonly #connection: DuckDBConnection;
  /** Its columns, besides the place. */
  readonly #columns: string;
  readonly #staged: string;
  readonly #source: Source;
  #insertWhole: DuckDBPreparedStatement | undefined;
  /** The INSERT for the columns of the last rows: the next rows nearly always have the same. */
  #insertFlat:
    | (Pick<FlatInsert, 'texts'> & {
        readonly signature: string;
        readonly statement: DuckDBPreparedStatement;
      })
    | undefined;
  #rows = 0;

  private constructor(connection: DuckDBConnection, source: Source, columns: string, name: string) {
    this.#connection = connection;
    this.#source = source;
    this.#columns = columns;
    this.#staged = `temp.${name}`;
    const { id } = keySql(source);
    this.ids = id && `SELECT ${id} AS id, ${place} AS place FROM ${this.#staged}`;
  }

  /** An empty table for rows with the columns of another. A connection has at most one for each schema. */
  static async create(
    connection: DuckDBConnection,
    source: Source,
    { schema, definitions, columns }: RowTable,
  ): Promise<StagedTable> {
    const name = `staged_${schema}`;
    await connection.run(`CREATE TEMP TABLE ${name} (${definitions}, ${place} BIGINT)`);
    return new StagedTable(connection, source, columns, name);
  }

  /**
   * A table with the rows of a query.
   *
   * @param columns the query's columns, besides the place
   * @param name the table's name, different for each table of a connection
   */
  static async of(
    connection: DuckDBConnection,
    source: Source,
    { name, columns, select }: { readonly name: string; readonly columns: string; readonly select: string },
  ): Promise<StagedTable> {
    const made = new StagedTable(connection, source, columns, `staged_${name}`);
    await connection.run(`CREATE TEMP TABLE staged_${name} AS ${select}`);
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${made.#staged}`);
    made.#rows = Number(counted.value(0, 0));
    return made;
  }

  /**
   * The rows in another form, in a table that replaces this one.
   *
   * @param values the other table's columns, as a SELECT list over this one's
   */
  async reshaped(source: Source, { definitions, columns }: RowTable, values: string): Promise<StagedTable> {
    const name = `${this.#staged}_new`;
    const made = new StagedTable(this.#connection, source, columns, name.slice('temp.'.length));
    await this.#connection.run(`CREATE TEMP TABLE ${name} (${definitions}, ${place} BIGINT)`);
    await this.#connection.run(`INSERT INTO ${name} SELECT ${values}, ${place} FROM ${this.#staged}`);
    await this.drop();
    made.#rows = this.#rows;
    return made;
  }

  /** How many rows were added. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * Adds whole rows to a table whose rows have the form of the schema.
   *
   * @param before added to the rows' places
   * @returns how many
   */
  async addWhole({ text }: Pick<WholeRows, 'text'>, before: number): Promise<number> {
    const select = () => `SELECT * FROM ${batchRows(this.#source.columns)}`;
    this.#insertWhole ??= await this.#connection.prepare(`INSERT INTO ${this.#staged} ${select()}`);
    this.#insertWhole.bindVarchar(1, text);
    this.#insertWhole.bindBigInt(2, BigInt(before));
    return await this.#run(this.#insertWhole);
  }

  /** Adds flat rows, like `addWhole`. Only for a flat table. */
  async addFlat(rows: FlatRows, before: number): Promise<number> {
    const signature = flatSignature(rows);
    if (this.#insertFlat?.signature !== signature) {
      const { sql, texts } = flatInsert(this.#staged, place, this.#source.columns, rows);
      this.#insertFlat = { signature, texts, statement: await this.#connection.prepare(sql) };
    }
    const { statement, texts } = this.#insertFlat;
    statement.bindVarchar(1, rows.places);
    statement.bindBigInt(2, BigInt(before));
    for (const [i, column] of texts.entries()) statement.bindVarchar(i + 3, String(rows.columns[column]));
    return await this.#run(statement);
  }

  async #run(insert: DuckDBPreparedStatement): Promise<number> {
    const { rowsChanged } = await insert.run();
    this.#rows += rowsChanged;
    return rowsChanged;
  }

  /** Deletes the rows that meet a condition over the text of their id and `.place`. Returns how many. */
  async delete(condition: (columns: { id: string | undefined; place: string }) => string): Promise<number> {
    if (this.#rows === 0) return 0;
    const deleted = await this.#connection.run(
      `DELETE FROM ${this.#staged} WHERE ${condition({ id: keySql(this.#source).id, place })}`,
    );
    return deleted.rowsChanged;
  }

  /** Whether adding the rows in their present order would create row groups with wide, overlapping times. */
  async isOutOfOrder(): Promise<boolean> {
    if (this.#rows <= blockRows) return true;
    return overlapDepth(await readBlocks(this.#connection, this.#staged, keySql(this.#source).time)) > 1;
  }

  async drop(): Promise<void> {
    await this.#connection.run(`DROP TABLE ${this.#staged}`);
  }

  /** Copies the rows into a table of their form, sorted by their timestamps or in their present order. Returns how many. */
  copy(table: RowTable, isSorted: boolean): Promise<number> {
    return this.#copy(table, this.#staged, this.#columns, isSorted);
  }

  /**
   * The same for the whole rows that belong in the table. One statement converts all of them, because its cost is more for
   * each statement than for each row.
   */
  copyOwn(table: RowTable, isSorted: boolean): Promise<number> {
    const select = selectFor(table, this.#staged, { kept: place });
    return this.#copy(table, `(${select})`, table.columns, isSorted);
  }

  async #copy({ sql }: RowTable, from: string, columns: string, isSorted: boolean): Promise<number> {
    if (this.#rows === 0) return 0;
    return await insertRows(this.#connection, sql, { columns, from, order: await this.#order(isSorted) });
  }

  /** Many rows are clustered at once: compaction would write them again. */
  async #order(isSorted: boolean): Promise<string | undefined> {
    const clustering = new Clustering(this.#source);
    if (clustering.isNone || this.#rows < spanRows) return isSorted ? byTime(clustering.time) : undefined;
    const bounds = await timeBounds(this.#connection, this.#staged, clustering.time, spanRows);
    return `${clustering.order(bounds)}, ${place}`;
  }
}

/**
 * The rows whose text is the parameter `$1`, as a relation: their columns as the schema has them, and `.place`, their number
 * in the batch, from 1, unless they bring it, plus the parameter `$2`.
 */
function batchRows(columns: readonly SourceColumn[]): string {
  const structure = stringLiteral(
    JSON.stringify({ ...Object(recordStructure(columns)), [placeKey]: 'BIGINT' }),
  );
  const values = columns.map(
    (column) => `${fromWire(field('r', column), column, 0)} AS ${quoteIdentifier(column.name)}`,
  );
  const lines = '(SELECT string_split($1, chr(10)) AS lines)';
  const numbered = `(SELECT unnest(lines) AS line, unnest(range(1, len(lines) + 1)) AS n FROM ${lines})`;
  const read = `(SELECT from_json(line, ${structure}) AS r, n FROM ${numbered})`;
  return `(SELECT ${values.join(', ')}, CAST($2 AS BIGINT) + coalesce(r."${placeKey}", n) AS ".place" FROM ${read})`;
}

type Structure = string | { [name: string]: Structure } | [Structure];

function recordStructure(columns: readonly SourceColumn[]): Structure {
  return Object.fromEntries(columns.map((column) => [column.name.toLowerCase(), columnStructure(column)]));
}

function columnStructure({ type, mode, fields }: SourceColumn): Structure {
  const element = fields.length > 0 ? recordStructure(fields) : scalarStructure(type);
  return mode === 'REPEATED' ? [element] : element;
}

/** Some texts stay as they are here: DuckDB would read them as something else. */
function scalarStructure(type: SqlType): string {
  const scalar = elementType(type);
  return textConversion(scalar) === undefined ? duckType(scalar) : 'VARCHAR';
}

function fromWire(value: string, column: SourceColumn, depth: number): string {
  if (!isConverted(column)) return value;
  if (column.mode !== 'REPEATED') return presentFromWire(value, column, depth);
  const element = `e${depth}`;
  return `list_transform(${value}, lambda ${element}: ${presentFromWire(element, column, depth + 1)})`;
}

function presentFromWire(value: string, column: SourceColumn, depth: number): string {
  if (column.fields.length === 0) return textConversion(elementType(column.type))?.(value) ?? value;
  const names = physicalFieldNames(structOf(column.fields));
  const fields = column.fields.map(
    (child, i) => `${names[i]} := ${fromWire(field(value, child), child, depth)}`,
  );
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${fields.join(', ')}) END`;
}

function field(record: string, column: SourceColumn): string {
  return `struct_extract(${record}, ${stringLiteral(column.name.toLowerCase())})`;
}

/** Some values are texts in JSON, and records may have other names in DuckDB. */
function isConverted({ type, fields }: SourceColumn): boolean {
  if (fields.length === 0) return textConversion(elementType(type)) !== undefined;
  const names = physicalFieldNames(structOf(fields));
  return fields.some(
    (field, i) => names[i] !== quoteIdentifier(field.name.toLowerCase()) || isConverted(field),
  );
}
