import { type FlatRows, type FlatValues, nullMark, valueSeparator } from './flat-batch.ts';

/** Some flat rows, and which of them are left out, by their indexes. */
export interface FlatPart {
  readonly rows: FlatRows;
  readonly dropped: ReadonlySet<number>;
}

/**
 * The rows of several parts as one, in their order and without those left out, so that one INSERT adds them. They have no
 * places. Undefined if no row is left.
 *
 * @param parts parts of one source, with the same columns
 */
export function mergedRows(parts: readonly FlatPart[]): FlatRows | undefined {
  const left = parts.filter(({ rows, dropped }) => dropped.size < rows.rows);
  const [first] = left;
  if (first === undefined) return undefined;
  const rows = left.reduce((sum, part) => sum + part.rows.rows - part.dropped.size, 0);
  return { rows, columns: first.rows.columns.map((_, index) => mergedValues(left, index)), places: '' };
}

function mergedValues(parts: readonly FlatPart[], index: number): FlatValues {
  const values = parts.map(({ rows }) => rows.columns[index]);
  const [first] = values;
  if (typeof first !== 'string' && values.every((value) => value === first)) return first;
  return parts.map((part, i) => textOf(values[i], part)).join(valueSeparator);
}

function textOf(values: FlatValues, { rows, dropped }: FlatPart): string {
  if (typeof values !== 'string') {
    const text = values === undefined ? nullMark : String(values);
    return Array.from({ length: rows.rows - dropped.size }, () => text).join(valueSeparator);
  }
  if (dropped.size === 0) return values;
  return values
    .split(valueSeparator)
    .filter((_, row) => !dropped.has(row))
    .join(valueSeparator);
}
