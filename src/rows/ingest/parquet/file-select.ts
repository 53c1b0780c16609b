import { DuckDBListType, DuckDBStructType, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import { idColumn, isMerged, timeColumn } from '../../../definitions/sources/row-key.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../../../engines/duckdb/dialect/duck-type.ts';
import { stringLiteral } from '../../../engines/duckdb/dialect/literal.ts';
import type { FileRows } from '../../../engines/duckdb/store/insert/file-rows.ts';
import { flatColumns } from '../../../engines/duckdb/store/tables/flat-layout.ts';
import { keySql } from '../../../engines/duckdb/store/tables/key-sql.ts';
import { listColumns } from '../../../engines/duckdb/store/tables/list-layout.ts';
import { microsPerDay } from '../../../sql/values/time-units.ts';
import { elementType } from '../../../sql/values/type.ts';
import type { AcceptedTimes } from '../encode/accepted-times.ts';
import { neededColumns } from '../encode/row-encoder.ts';
import { arrivingFields } from './arriving-fields.ts';
import type { FileField } from './file-field.ts';
import { flatSelect } from './flat-select.ts';
import { wholeSelect } from './whole-select.ts';

/** Types whose values DuckDB writes as JSON in the form of NDJSON rows. */
const plainTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.BOOLEAN,
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
]);

const timestampTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_TZ,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
]);

/**
 * The NDJSON line of a valid row, as SQL over the file's columns. Undefined if DuckDB writes values of the file's types in
 * another form.
 */
function lineSql(columns: readonly SourceColumn[], fields: readonly FileField[]): string | undefined {
  if (columns.some(hasJson)) return undefined;
  const members: string[] = [];
  for (const { name, type, value } of fields) {
    const column = columns.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    const isMoment = column !== undefined && elementType(column.type).kind === 'TIMESTAMP';
    if (isMoment && timestampTypes.has(type.typeId))
      // A number could be read as one of another unit.
      members.push(
        `${quoteIdentifier(name)} := replace(CAST(make_timestamp(epoch_us(${value})) AS VARCHAR), ' ', 'T')`,
      );
    else if (isPlain(type)) members.push(`${quoteIdentifier(name)} := ${value}`);
    else return undefined;
  }
  return members.length === 0 ? undefined : `CAST(to_json(struct_pack(${members.join(', ')})) AS VARCHAR)`;
}

/** A file has JSON as texts, and a line has JSON values. */
function hasJson({ type, fields }: SourceColumn): boolean {
  return elementType(type).kind === 'JSON' || fields.some(hasJson);
}

function isPlain(type: DuckDBType): boolean {
  if (type instanceof DuckDBListType) return isPlain(type.valueType);
  if (type instanceof DuckDBStructType) return type.entryTypes.every(isPlain);
  return type.alias === undefined && plainTypes.has(type.typeId);
}

/** DuckDB's extra column with the number of the row in the file, from 0. */
export const rowNumber = 'file_row_number';

/** The columns of a Parquet file. */
interface FileShape {
  readonly names: readonly string[];
  readonly types: readonly DuckDBType[];
}

/** The parts of a file that DuckDB reads: the certainly valid rows, and the others. */
interface FileSelects {
  /** Undefined for a file without columns that can be the rows' ids and times: none of its rows is valid. */
  readonly fitting: Pick<FileRows, 'keys' | 'flat' | 'lists'> | undefined;
  /** The SELECT of the file's own columns and `rowNumber`, for the rows that are neither in `flat` nor in `lists`. */
  readonly others: string;
}

/**
 * The SELECTs that read the rows of a file into the tables of a source.
 *
 * @param path as an argument of `read_parquet`
 * @param times those that valid rows may have; any time by default
 */
export function fileSelects(
  path: string,
  { names, types }: FileShape,
  source: Source,
  times?: AcceptedTimes,
): FileSelects {
  const file = `read_parquet(${stringLiteral(path)}, hive_partitioning = false, ${rowNumber} = true)`;
  const place = `${rowNumber} + 1 AS ".place"`;
  const columns = neededColumns(source);
  const fields = arrivingFields(fieldsOfFile({ names, types }), source);
  const own = [...names.map(quoteIdentifier), rowNumber].join(', ');
  if (fields === undefined) return { fitting: undefined, others: `SELECT ${own} FROM ${file}` };
  const flat = flatSelect(file, columns, fields);
  const flatNames = flatColumns(columns).map(({ name }) => quoteIdentifier(name));
  const flatValues = flat.columns.map((index, i) => `${flat.values[i]} AS ${flatNames[index]}`);
  const key = keySql(source);
  const valueIn = (column: SourceColumn | undefined) =>
    column &&
    flat.values[flat.columns.findIndex((index) => flatNames[index] === quoteIdentifier(column.name))];
  const ofKey = [idColumn(source), timeColumn(source)];
  const [id, time] = ofKey.map(valueIn);
  const hasKey = ofKey.every((column) => column === undefined || valueIn(column) !== undefined);
  const keys = [
    id === undefined ? 'NULL AS id' : `${key.idOf(id)} AS id`,
    time === undefined ? 'CAST(NULL AS TIMESTAMP) AS "timestamp"' : `${key.timeOf(time)} AS "timestamp"`,
  ];
  const isInTime =
    times === undefined || time === undefined
      ? 'true'
      : `coalesce(${isWithin(time, ofKey[1], times)}, false)`;
  // An empty text is no key of a reference table.
  const isNamed =
    isMerged(source) && ofKey[0]?.type.kind === 'STRING' ? `coalesce(${id} <> '', false)` : 'true';
  const isFlat = `(${flat.fits} AND ${isInTime} AND ${isNamed})`;
  const whole = wholeSelect(columns, fields);
  const isList = `(NOT ${flat.hasSingles} AND ${whole.fits} AND ${isInTime} AND ${isNamed})`;
  const lists = listColumns(columns);
  const listValues = lists.map(({ name, value }) => `${value} AS ${quoteIdentifier(name)}`).join(', ');
  const wholeRows = `(SELECT ${whole.values}, ${place} FROM ${flat.from} WHERE ${isList})`;
  const fitting = {
    keys: `SELECT ${[...keys, place].join(', ')} FROM ${file}`,
    flat: {
      columns: flat.columns,
      sql: `SELECT ${flatValues.join(', ')}, ${place} FROM ${flat.from} WHERE ${isFlat}`,
    },
    lists: { columns: [...lists.keys()], sql: `SELECT ${listValues}, ".place" FROM ${wholeRows}` },
  };
  return {
    fitting: hasKey ? fitting : undefined,
    others: `SELECT ${own} FROM ${flat.from} WHERE NOT ${isFlat} AND NOT ${isList}`,
  };
}

/** The condition that a time is accepted. A date is if one of its times is. */
function isWithin(time: string, column: SourceColumn | undefined, { from, to }: AcceptedTimes): string {
  if (column?.type.kind !== 'DATE') return `epoch_us(${time}) BETWEEN ${from} AND ${to}`;
  return `epoch_us(CAST(${time} AS TIMESTAMP)) BETWEEN ${from} - ${microsPerDay - 1n} AND ${to}`;
}

/**
 * The SELECT of all rows of a relation, in its order: the NDJSON line of a certainly valid row, and the file's own columns
 * of another row. Undefined if DuckDB can't write lines.
 */
export function lineSelect(relation: string, shape: FileShape, source: Source): string | undefined {
  const columns = neededColumns(source);
  const fields = fieldsOfFile(shape);
  const arriving = arrivingFields(fields, source);
  const isPrepared =
    arriving?.length === fields.length && arriving.every(({ name }, i) => name === fields[i]?.name);
  const line = isPrepared ? lineSql(columns, fields) : undefined;
  if (line === undefined || shape.names.includes('.line')) return undefined;
  const { fits } = wholeSelect(columns, fields);
  const own = fields.map(({ value }) => `CASE WHEN ".line" IS NULL THEN ${value} END AS ${value}`);
  const lines = `(SELECT *, CASE WHEN ${fits} THEN ${line} END AS ".line" FROM ${relation})`;
  return `SELECT ".line", ${own.join(', ')} FROM ${lines}`;
}

function fieldsOfFile({ names, types }: FileShape): FileField[] {
  return types.flatMap((type, i): FileField[] => {
    const name = names[i];
    return name === undefined ? [] : [{ name, type, value: quoteIdentifier(name) }];
  });
}
