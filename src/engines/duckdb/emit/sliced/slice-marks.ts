import type { Spans } from '../../../../base/forms/spans.ts';
import { firstMicros, lastMicros, literalSql } from '../../dialect/literal.ts';

/*
 * The SQL of a sliced aggregation depends on which slices a run finds. Until then, marks stand for that. Emitted SQL contains NUL
 * characters in marks only.
 */

/** The column with the number of a slice: its times are from this number times the width of slices on. */
export const sliceColumn = 'slice';

/** The condition that a time is in the ranges that are read from rows. */
export function timeInRanges(number: number, time: string): string {
  return `\0range ${number}\0${time}\0end\0`;
}

/** The slice of a time. */
export function sliceOfTime(number: number, time: string): string {
  return `\0slice ${number}\0${time}\0end\0`;
}

/** The parts that are kept, before those that are made from rows. */
export function storedParts(number: number): string {
  return `\0stored ${number}\0`;
}

/** The SELECT that makes the parts of ranges of times from rows. */
export function partOfRows(number: number, select: string): string {
  return `\0part ${number}\0${select}\0end of part ${number}\0`;
}

/** What a run reads for a sliced aggregation. */
export interface SliceReads {
  /** SELECTs of kept parts. */
  readonly stored: readonly string[];
  /** The times whose rows are read, in microseconds. Each range is read by itself: DuckDB skips row groups by one range only. */
  readonly rows: Spans;
  /** The width of a slice is two to the power of this, in microseconds. */
  readonly shift: number;
}

/** The SELECT of a sliced aggregation that makes parts from rows, with its marks. */
export function partSelect(sql: string, number: number): string {
  const [begin, end] = [`\0part ${number}\0`, `\0end of part ${number}\0`];
  const [from, to] = [sql.indexOf(begin), sql.indexOf(end)];
  if (from < 0 || to < from || sql.includes(begin, to))
    throw new Error('A sliced aggregation is emitted once');
  return sql.slice(from + begin.length, to);
}

/** The SELECTs that make the parts of these ranges from rows. */
export function selectsOfRows(
  select: string,
  number: number,
  { rows, shift }: Omit<SliceReads, 'stored'>,
): string[] {
  const ranges = rows.length === 0 ? [undefined] : rows;
  return ranges.map((range) =>
    select
      .replaceAll(marked('range', number), (_, time: string) => inRange(time, range))
      .replaceAll(marked('slice', number), (_, time: string) => `epoch_us(${time}) >> ${shift}`),
  );
}

/** SQL with what a run reads for each of its sliced aggregations. */
export function slicedSql(sql: string, reads: readonly SliceReads[]): string {
  return reads.reduce((before, read, number) => {
    const select = partSelect(before, number);
    const rows = read.rows.length === 0 && read.stored.length > 0 ? [] : selectsOfRows(select, number, read);
    const [begin, end] = [`\0stored ${number}\0`, `\0end of part ${number}\0`];
    const [from, to] = [before.indexOf(begin), before.indexOf(end)];
    return (
      before.slice(0, from) + [...read.stored, ...rows].join(' UNION ALL ') + before.slice(to + end.length)
    );
  }, sql);
}

function marked(mark: string, number: number): RegExp {
  return new RegExp(`\0${mark} ${number}\0([^\0]*)\0end\0`, 'g');
}

function inRange(time: string, range: Spans[number] | undefined): string {
  if (range === undefined) return 'false';
  const literal = (micros: bigint) => literalSql({ kind: 'TIMESTAMP' }, micros);
  const conditions = [
    ...(range.from > firstMicros ? [`${time} >= ${literal(range.from)}`] : []),
    ...(range.to <= lastMicros ? [`${time} < ${literal(range.to)}`] : []),
  ];
  return conditions.length === 0 ? 'true' : `(${conditions.join(' AND ')})`;
}
