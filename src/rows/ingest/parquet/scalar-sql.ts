import { DuckDBDecimalType, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import type { ScalarTypeName } from '../../../sql/values/type.ts';
import { storedJson } from './json-function.ts';

/** Converts values of a DuckDB type to a GoogleSQL type, in the store's type for it. */
interface ScalarSql {
  /** The value, as SQL. */
  readonly value: (value: string) => string;
  /** The condition that a value other than NULL is valid; undefined if all are. */
  readonly fits?: (value: string) => string;
  /** Whether a cast to the store's type is sufficient. */
  readonly isCast: boolean;
}

const cast: ScalarSql = { value: (value) => value, isCast: true };

// From the beginning of the year 1 to the end of 9999.
const [minMicros, maxMicros] = ['-62135596800000000', '253402300799999999'];

const isInYears = (value: string) => `epoch_us(${value}) BETWEEN ${minMicros} AND ${maxMicros}`;

/** The value is also computed for invalid rows, and must not fail there. */
const moment = (fits: (value: string) => string): ScalarSql => ({
  value: (value) => `make_timestamp(CASE WHEN ${fits(value)} THEN epoch_us(${value}) END)`,
  fits,
  isCast: false,
});

const timestamps: ReadonlyMap<DuckDBTypeId, ScalarSql> = new Map([
  [DuckDBTypeId.TIMESTAMP, { value: (value: string) => value, fits: isInYears, isCast: false }],
  [DuckDBTypeId.TIMESTAMP_TZ, moment(isInYears)],
  [DuckDBTypeId.TIMESTAMP_S, moment(isInYears)],
  [DuckDBTypeId.TIMESTAMP_MS, moment(isInYears)],
  [DuckDBTypeId.TIMESTAMP_NS, moment(isInYears)],
]);

const integers: ReadonlyMap<DuckDBTypeId, ScalarSql> = new Map(
  [
    DuckDBTypeId.TINYINT,
    DuckDBTypeId.SMALLINT,
    DuckDBTypeId.INTEGER,
    DuckDBTypeId.BIGINT,
    DuckDBTypeId.UTINYINT,
    DuckDBTypeId.USMALLINT,
    DuckDBTypeId.UINTEGER,
  ].map((type) => [type, cast]),
);

const days: ScalarSql = {
  value: (value) => value,
  fits: (value) => `${value} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'`,
  isCast: false,
};

const time: ScalarSql = {
  value: (value) => value,
  fits: (value) => `${value} BETWEEN TIME '00:00:00' AND TIME '23:59:59.999999'`,
  isCast: false,
};

const conversions: Readonly<Partial<Record<ScalarTypeName, ReadonlyMap<DuckDBTypeId, ScalarSql>>>> = {
  BOOL: new Map([[DuckDBTypeId.BOOLEAN, cast]]),
  INT64: integers,
  FLOAT64: new Map([
    [DuckDBTypeId.DOUBLE, cast],
    [DuckDBTypeId.FLOAT, cast],
  ]),
  STRING: new Map([
    [DuckDBTypeId.VARCHAR, cast],
    [DuckDBTypeId.UUID, cast],
    [DuckDBTypeId.ENUM, cast],
  ]),
  BYTES: new Map([[DuckDBTypeId.BLOB, cast]]),
  DATE: new Map([[DuckDBTypeId.DATE, days]]),
  TIME: new Map([[DuckDBTypeId.TIME, time]]),
  DATETIME: timestamps,
  TIMESTAMP: timestamps,
};

const json: ScalarSql = {
  value: storedJson,
  fits: (value) => `${storedJson(value)} IS NOT NULL`,
  isCast: false,
};

/** Returns the conversion; undefined if each value must be validated one by one, or the types don't match. */
export function scalarSql(kind: ScalarTypeName, type: DuckDBType): ScalarSql | undefined {
  if (kind === 'JSON' && type.typeId === DuckDBTypeId.VARCHAR) return json;
  if (type.alias !== undefined) return undefined;
  if (kind === 'NUMERIC') return type instanceof DuckDBDecimalType && fitsNumeric(type) ? cast : undefined;
  return conversions[kind]?.get(type.typeId);
}

/** Whether each value has at most 29 digits before the point and nine after it. */
function fitsNumeric({ width, scale }: DuckDBDecimalType): boolean {
  return scale <= 9 && width - scale <= 29;
}
