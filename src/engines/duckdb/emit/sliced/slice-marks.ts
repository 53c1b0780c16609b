import type { Span, Spans } from '../../../../base/forms/spans.ts';
import { firstMicros, lastMicros, literalSql } from '../../dialect/literal.ts';

/*
 * The SQL of a sliced aggregation depends on which slices a run finds. Until then, marks stand for that. Emitted SQL contains NUL
 * characters in marks only.
 */

/** The column with the time at which a slice begins, in microseconds since the epoch. */
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

/** How parts are made. */
interface Parts {
  /** From rows: the SELECT of the slice, the keys of the groups, and the values. */
  readonly select: string;
  /** The keys of the groups. */
  readonly keys: string;
  /** Each value of several parts as one. */
  readonly joined: string;
}

/** The SELECT that makes the parts of ranges of times from rows. */
export function partOfRows(number: number, { select, keys, joined }: Parts): string {
  const begin = `\0part ${number}\0${keys}\0${joined}\0`;
  return `${begin}${select}\0end of part ${number}\0`;
}

/** The parts of a sliced aggregation, with its marks. */
export function partsOf(sql: string, number: number): Parts {
  const [begin, end] = [`\0part ${number}\0`, `\0end of part ${number}\0`];
  const [from, to] = [sql.indexOf(begin), sql.indexOf(end)];
  if (from < 0 || to < from || sql.includes(begin, to))
    throw new Error('A sliced aggregation is emitted once');
  const text = sql.slice(from + begin.length, to);
  const [keys = '', joined = ''] = text.split('\0', 2);
  const select = text.slice(keys.length + joined.length + 2);
  return { select, keys, joined };
}

/**
 * The SELECT that makes parts from rows.
 *
 * @param times in microseconds; undefined for no rows
 * @param shift the width of slices is two to the power of this, in microseconds; undefined for one slice
 */
export function partSelect(select: string, number: number, times: Span | undefined, shift?: number): string {
  return select
    .replaceAll(marked('range', number), (_, time: string) => inSpan(time, times))
    .replaceAll(marked('slice', number), (_, time: string) =>
      shift === undefined ? 'CAST(0 AS BIGINT)' : beginOfSlice(`epoch_us(${time})`, shift),
    );
}

/** The SELECT that joins parts of narrower slices to those of wider ones. */
export function joinedSelect({ keys, joined }: Parts, from: string, shift: number): string {
  const slice = beginOfSlice(sliceColumn, shift);
  const all = [slice, ...(keys === '' ? [] : [keys])];
  return `SELECT ${[`${slice} AS ${sliceColumn}`, ...all.slice(1), joined].join(', ')} FROM ${from} GROUP BY ${all.join(', ')}`;
}

function beginOfSlice(micros: string, shift: number): string {
  return `(${micros} & ${-(2 ** shift)})`;
}

/** What a run reads for a sliced aggregation. */
export interface SliceReads {
  /** SELECTs of kept parts. */
  readonly stored: readonly string[];
  /** The times whose rows are read, in microseconds. Each range is read by itself: DuckDB skips row groups by one range only. */
  readonly rows: Spans;
}

/** SQL with what a run reads for each of its sliced aggregations. */
export function slicedSql(sql: string, reads: readonly SliceReads[]): string {
  return reads.reduce((before, { stored, rows }, number) => {
    const { select } = partsOf(before, number);
    const isNothing = stored.length === 0 && rows.length === 0;
    const ofRows = (isNothing ? [undefined] : rows).map((times) => partSelect(select, number, times));
    const [begin, end] = [`\0stored ${number}\0`, `\0end of part ${number}\0`];
    const [from, to] = [before.indexOf(begin), before.indexOf(end)];
    return before.slice(0, from) + [...stored, ...ofRows].join(' UNION ALL ') + before.slice(to + end.length);
  }, sql);
}

function marked(mark: string, number: number): RegExp {
  return new RegExp(`\0${mark} ${number}\0([^\0]*)\0end\0`, 'g');
}

function inSpan(time: string, span: Span | undefined): string {
  if (span === undefined) return 'false';
  const literal = (micros: bigint) => literalSql({ kind: 'TIMESTAMP' }, micros);
  const conditions = [
    ...(span.from > firstMicros ? [`${time} >= ${literal(span.from)}`] : []),
    ...(span.to <= lastMicros ? [`${time} < ${literal(span.to)}`] : []),
  ];
  return conditions.length === 0 ? 'true' : `(${conditions.join(' AND ')})`;
}
