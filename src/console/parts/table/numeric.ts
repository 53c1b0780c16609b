import type { Json, JsonObject } from '../../api/json.ts';
import type { TableColumn } from './table-column.ts';

/** A decimal as the gateway writes INT64, NUMERIC and BIGNUMERIC. Ids with zeros before them, hashes and `1e5` are texts. */
const decimal = /^-?(0|[1-9]\d*)(\.\d+)?$/;
/** BIGNUMERIC has at most 77 digits. */
const maxLength = 80;
const numericTypes = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);
const sample = 1_000;

export function isDecimal(value: string): boolean {
  return value.length <= maxLength && decimal.test(value);
}

/** The number of a value that a column of numbers has. Undefined for all others. */
export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && isDecimal(value) ? Number(value) : undefined;
}

/** Whether a column holds numbers: by its type, or else by its values. */
export function isNumeric({ name, type }: TableColumn, rows: readonly JsonObject[]): boolean {
  if (type !== undefined) return numericTypes.has(type.replace(/\(.*/, ''));
  const values = sampleOf(rows, sample)
    .map((row) => row[name] ?? null)
    .filter((value) => value !== null);
  return values.length > 0 && values.every((value) => numberOf(value) !== undefined);
}

/** Rows from all parts of a list, in its order. */
export function sampleOf<T>(rows: readonly T[], size: number): readonly T[] {
  if (rows.length <= size) return rows;
  const step = rows.length / size;
  return Array.from({ length: size }, (_, index) => rows[Math.floor(index * step)]).filter(
    (row) => row !== undefined,
  );
}
