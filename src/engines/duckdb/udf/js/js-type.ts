import {
  BIGINT,
  BIGNUM,
  BLOB,
  BOOLEAN,
  DECIMAL,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBDecimalValue,
  DuckDBIntervalValue,
  DuckDBListValue,
  type DuckDBType,
  type DuckDBValue,
  INTERVAL,
  LIST,
  VARCHAR,
} from '@duckdb/node-api';
import type { Interval } from './interval.ts';

/** A DuckDB type, and the JavaScript form of its values in arguments and results. */
export interface JsType<T> {
  readonly duck: DuckDBType;
  read(value: DuckDBValue): T;
  write(value: T): DuckDBValue;
}

/** A type whose values need no conversion. */
function plain<T extends DuckDBValue>(duck: DuckDBType): JsType<T> {
  return { duck, read: (value) => value as T, write: (value) => value };
}

export const text: JsType<string> = plain(VARCHAR);
export const int64: JsType<bigint> = plain(BIGINT);
/** An integer of any size. */
export const bignum: JsType<bigint> = plain(BIGNUM);
export const float64: JsType<number> = plain(DOUBLE);
export const bool: JsType<boolean> = plain(BOOLEAN);

export const bytes: JsType<Uint8Array> = {
  duck: BLOB,
  read: (value) => (value as DuckDBBlobValue).bytes,
  write: (value) => new DuckDBBlobValue(value),
};

const [width, scale] = [38, 9];

/** NUMERIC as an integer number of billionths. */
export const numeric: JsType<bigint> = {
  duck: DECIMAL(width, scale),
  read: (value) => (value as DuckDBDecimalValue).value,
  write: (value) => new DuckDBDecimalValue(value, width, scale),
};

export const interval: JsType<Interval> = {
  duck: INTERVAL,
  read: (value) => value as DuckDBIntervalValue,
  write: ({ months, days, micros }) => new DuckDBIntervalValue(months, days, micros),
};

/** A list. NULL elements are null. */
export function listOf<T>(element: JsType<T>): JsType<readonly (T | null)[]> {
  return {
    duck: LIST(element.duck),
    read: (value) =>
      (value as DuckDBListValue).items.map((item) => (item === null ? null : element.read(item))),
    write: (value) => new DuckDBListValue(value.map((item) => (item === null ? null : element.write(item)))),
  };
}
