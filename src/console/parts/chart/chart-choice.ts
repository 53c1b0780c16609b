import type { JsonObject } from '../../api/json.ts';
import type { TableColumn } from '../table/table-column.ts';
import { type ColumnKind, kindOf } from './column-kinds.ts';

/** Which columns a chart shows, and how. */
export interface ChartChoice {
  readonly form: 'lines' | 'bars';
  /** The column of times or categories. */
  readonly x: string;
  /** Columns of numbers. None: rows are counted. */
  readonly y: readonly string[];
  /** The column whose values are series of their own. */
  readonly series?: string | undefined;
}

export interface KnownColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

export function knownColumns(
  columns: readonly TableColumn[],
  rows: readonly JsonObject[],
): readonly KnownColumn[] {
  return columns.map((column) => ({ name: column.name, kind: kindOf(column, rows) }));
}

/** A chart by default has no more series than this. */
const mostByDefault = 6;

/** The chart that suits the columns best, if any does. */
export function proposeChart(columns: readonly KnownColumn[]): ChartChoice | undefined {
  const named = (kind: ColumnKind) =>
    columns.filter((column) => column.kind === kind).map(({ name }) => name);
  const [time] = named('time');
  const [category] = named('category');
  const numbers = named('number');
  if (time !== undefined) {
    const isSplit = category !== undefined && numbers.length <= 1;
    return {
      form: 'bars',
      x: time,
      y: numbers.slice(0, mostByDefault),
      ...(isSplit && { series: category }),
    };
  }
  return category === undefined ? undefined : { form: 'bars', x: category, y: numbers.slice(0, 1) };
}
