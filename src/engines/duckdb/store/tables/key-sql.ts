import { memoized } from '../../../../base/async/memoized.ts';
import { idColumn, type KeyedSource, timeColumn } from '../../../../definitions/sources/row-key.ts';
import type { SourceColumn } from '../../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { literalSql } from '../../dialect/literal.ts';
import { flatColumns } from './flat-layout.ts';

/** The time and the id of a source's rows, as SQL over the columns of any of its tables. */
export interface KeySql {
  /** Of type TIMESTAMP. Rows of a reference table all have the same. */
  readonly time: string;
  /** The name of its column. Undefined for a reference table. */
  readonly timeName: string | undefined;
  /** Whether that is a TIMESTAMP. */
  readonly isTimestamp: boolean;
  /** A text, equal for equal ids only. Undefined if rows have no ids. */
  readonly id: string | undefined;
  /** What identifies a row among those of its time: the text of its id or, if rows have no ids, of all of its values. */
  readonly rowId: string;
  /** The condition that a row's time is within a range, with both ends, in microseconds since the epoch. */
  within(from: bigint, to: bigint): string;
  /** The same time, of a value of its column. */
  timeOf(value: string): string;
  /** The same text, of a value of its column. */
  idOf(value: string): string;
}

/** The key of a source's rows. It is described once. */
export const keySql: (source: KeyedSource) => KeySql = memoized((source: KeyedSource): KeySql => {
  const [time, id] = [timeColumn(source), idColumn(source)];
  const timeOf = (value: string) => (time?.type.kind === 'DATE' ? `CAST(${value} AS TIMESTAMP)` : value);
  const idOf = (value: string) => (id === undefined ? value : idText(id, value));
  const bound = (micros: bigint) => {
    const sql = literalSql({ kind: 'TIMESTAMP' }, micros);
    return time?.type.kind === 'DATE' ? `CAST(${sql} AS DATE)` : sql;
  };
  const column = time && quoteIdentifier(time.name);
  return {
    time: column === undefined ? sameTime : timeOf(column),
    timeName: time?.name,
    isTimestamp: time?.type.kind === 'TIMESTAMP',
    id: id && idOf(quoteIdentifier(id.name)),
    rowId: id === undefined ? rowText(source) : idOf(quoteIdentifier(id.name)),
    // DuckDB prunes by conditions on the column itself.
    within: (from, to) =>
      column === undefined ? 'true' : `${column} BETWEEN ${bound(from)} AND ${bound(to)}`,
    timeOf,
    idOf,
  };
});

/** The key of a source that is unknown, whose rows have an id and a time with the usual names. */
export const usualKey: KeySql = keySql({
  columns: [
    { name: 'id', type: { kind: 'STRING' }, mode: 'REQUIRED', fields: [] },
    { name: 'timestamp', type: { kind: 'TIMESTAMP' }, mode: 'REQUIRED', fields: [] },
  ],
});

/** A digest of all values of a row. Each has its length before it, so that different rows have different texts. */
function rowText({ columns }: KeyedSource): string {
  const values = flatColumns(columns).map(({ name }) => {
    const text = `CAST(${quoteIdentifier(name)} AS VARCHAR)`;
    return `coalesce(strlen(${text}) || ':' || ${text}, '-')`;
  });
  return `sha256(concat(${values.join(', ')}))`;
}

/** The time of all rows without one. */
const sameTime = `TIMESTAMP '1970-01-01'`;

function idText({ type }: SourceColumn, value: string): string {
  if (type.kind === 'STRING') return value;
  return type.kind === 'BYTES' ? `base64(${value})` : `CAST(${value} AS VARCHAR)`;
}
