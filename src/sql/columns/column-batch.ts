/**
 * The values of a column, in Arrow's layout: https://arrow.apache.org/docs/format/Columnar.html. By GoogleSQL type:
 *
 * | type | layout |
 * |---|---|
 * | BOOL | `data`: a bit each, the lowest first |
 * | INT64 | `data`: 64-bit integers |
 * | FLOAT64 | `data`: doubles |
 * | TIMESTAMP, DATETIME, TIME | `data`: 64-bit integers, microseconds since 1970-01-01 or midnight |
 * | DATE | `data`: 32-bit integers, days since 1970-01-01 |
 * | NUMERIC, BIGNUMERIC | `data`: integers of 128 and 256 bits, units of the last digit |
 * | STRING, JSON, INTERVAL, GEOGRAPHY | `offsets`, and `data` with the texts in UTF-8 |
 * | BYTES | `offsets`, and `data` with the bytes |
 * | ARRAY | `offsets`, and a child with the elements |
 * | STRUCT | a child for each field |
 *
 * Numbers are little-endian. The data of a NULL is zero or empty. An ARRAY is never NULL, but empty, as on REST.
 */
export interface ColumnData {
  readonly length: number;
  readonly nullCount: number;
  /** A bit for each value, the lowest first: whether it is present. Absent if all are. */
  readonly validity?: Uint8Array;
  /** Where each value begins, and the last one ends: one more than there are values. The first is zero. */
  readonly offsets?: Int32Array;
  readonly data?: FixedData;
  readonly children?: readonly ColumnData[];
}

export type FixedData = Uint8Array | Uint32Array | Int32Array | BigInt64Array | Float64Array;

/** Some rows of a result as columns. */
export interface ColumnBatch {
  /** The number of rows. */
  readonly length: number;
  readonly columns: readonly ColumnData[];
}

/** Digits of NUMERIC and BIGNUMERIC, and those of them after the point. */
export const decimals = {
  NUMERIC: { bits: 128, precision: 38, scale: 9 },
  BIGNUMERIC: { bits: 256, precision: 76, scale: 38 },
} as const;

/** Whether a value isn't NULL. */
export function isPresent({ validity }: ColumnData, index: number): boolean {
  return validity === undefined || ((validity[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

/** The size of a column's data, in bytes. */
function columnBytes({ validity, offsets, data, children = [] }: ColumnData): number {
  const own = (validity?.byteLength ?? 0) + (offsets?.byteLength ?? 0) + (data?.byteLength ?? 0);
  return children.reduce((sum, child) => sum + columnBytes(child), own);
}

/** The size of a batch's data, in bytes. */
export function batchBytes({ columns }: ColumnBatch): number {
  return columns.reduce((sum, column) => sum + columnBytes(column), 0);
}
