import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { formatType, type SqlType, type StructType } from '../../../../sql/values/type.ts';
import type { Constant } from '../../dialect/constant.ts';
import { duckType } from '../../dialect/duck-type.ts';
import type { Expression } from '../../dialect/expression.ts';
import {
  doubleToInt64,
  doubleToString,
  numericToString,
  stringToBool,
  stringToDouble,
  stringToInt64,
} from '../../macros/numbers.ts';
import { doubleToNumeric } from '../../macros/rounding.ts';
import { civilText, clockText, stringToDate, stringToDatetime, stringToTime } from '../../macros/time.ts';
import {
  bignumericFunctions,
  bignumericToNumeric,
  numericFunctions,
} from '../../udf/decimals/decimal-functions.ts';
import { intervalOfText, textOfInterval } from '../../udf/interval/interval-functions.ts';
import { textOfBytes } from '../../udf/text/latin.ts';
import { structField } from '../call/struct-field.ts';
import { civilIn, instantIn, instantOfText, instantTextIn } from '../time/zone.ts';

/** A value to convert, and the cast's options. */
interface Conversion {
  readonly value: string;
  /** The value, if it is known. */
  readonly constant: Constant | undefined;
  readonly safe: boolean;
  readonly zone: Expression | undefined;
}

type Convert = (conversion: Conversion) => string;

/** Parses text in a fixed form, which can't fail. */
const asText: Convert = ({ value }) => `CAST(${value} AS VARCHAR)`;

const zeros = (count: number) => '0'.repeat(count);

/** By `FROM>TO`: every conversion between scalar types that BigQuery has and DuckDB can do exactly. */
const conversions: Readonly<Record<string, Convert>> = {
  'BOOL>INT64': ({ value }) => `CAST(${value} AS BIGINT)`,
  'BOOL>STRING': asText,
  'INT64>BOOL': ({ value }) => `(${value} <> 0)`,
  'INT64>FLOAT64': ({ value }) => `CAST(${value} AS DOUBLE)`,
  'INT64>NUMERIC': ({ value }) => `CAST(${value} AS DECIMAL(38,9))`,
  'INT64>BIGNUMERIC': ({ value }) => `CAST(CAST(${value} AS VARCHAR) || '${zeros(38)}' AS BIGNUM)`,
  'INT64>STRING': asText,
  'FLOAT64>INT64': ({ value, safe }) => doubleToInt64.call([value], safe),
  'FLOAT64>NUMERIC': ({ value, safe }) => doubleToNumeric.call([value], safe),
  'FLOAT64>BIGNUMERIC': ({ value, safe }) => bignumericFunctions.ofDouble.call([value], safe),
  'FLOAT64>STRING': ({ value }) => doubleToString.call([value]),
  'NUMERIC>FLOAT64': ({ value }) => `CAST(CAST(${value} AS VARCHAR) AS DOUBLE)`,
  'NUMERIC>INT64': ({ value, safe }) => `${safe ? 'TRY_CAST' : 'CAST'}(round(${value}, 0) AS BIGINT)`,
  'NUMERIC>BIGNUMERIC': ({ value }) =>
    `CAST(replace(CAST(${value} AS VARCHAR), '.', '') || '${zeros(29)}' AS BIGNUM)`,
  'NUMERIC>STRING': ({ value }) => numericToString.call([value]),
  'BIGNUMERIC>STRING': ({ value }) => bignumericFunctions.toText.call([value]),
  'BIGNUMERIC>INT64': ({ value, safe }) => bignumericFunctions.toInt64.call([value], safe),
  'BIGNUMERIC>FLOAT64': ({ value }) => bignumericFunctions.toDouble.call([value]),
  'BIGNUMERIC>NUMERIC': ({ value, safe }) => bignumericToNumeric.call([value], safe),
  'STRING>BOOL': ({ value, safe }) => stringToBool.call([value], safe),
  'STRING>BYTES': ({ value }) => `encode(${value})`,
  'STRING>DATE': ({ value, safe }) => stringToDate.call([value], safe),
  'STRING>DATETIME': ({ value, safe }) => stringToDatetime.call([value], safe),
  'STRING>FLOAT64': ({ value, safe }) => stringToDouble.call([value], safe),
  'STRING>INT64': ({ value, safe }) => stringToInt64.call([value], safe),
  'STRING>NUMERIC': ({ value, safe }) => numericFunctions.ofText.call([value], safe),
  'STRING>BIGNUMERIC': ({ value, safe }) => bignumericFunctions.ofText.call([value], safe),
  'STRING>TIME': ({ value, safe }) => stringToTime.call([value], safe),
  'STRING>TIMESTAMP': ({ value, constant, safe, zone }) =>
    instantOfText({ sql: value, constant }, zone, safe),
  'BYTES>STRING': ({ value, safe }) => (safe ? textOfBytes.call([value], true) : `decode(${value})`),
  'TIMESTAMP>STRING': ({ value, zone }) => instantTextIn(value, zone),
  'TIMESTAMP>DATETIME': ({ value, zone }) => civilIn(value, zone),
  'TIMESTAMP>DATE': ({ value, zone }) => `CAST(${civilIn(value, zone)} AS DATE)`,
  'TIMESTAMP>TIME': ({ value, zone }) => `CAST(${civilIn(value, zone)} AS TIME)`,
  'DATETIME>STRING': ({ value }) => civilText.call([value, "''"]),
  'DATETIME>TIMESTAMP': ({ value, zone }) => instantIn(value, zone),
  'DATETIME>DATE': ({ value }) => `CAST(${value} AS DATE)`,
  'DATETIME>TIME': ({ value }) => `CAST(${value} AS TIME)`,
  'DATE>STRING': asText,
  'INTERVAL>STRING': ({ value }) => textOfInterval.call([value]),
  'STRING>INTERVAL': ({ value, safe }) => intervalOfText.call([value], safe),
  'TIME>STRING': ({ value }) => clockText.call([value]),
  'DATE>DATETIME': ({ value }) => `CAST(${value} AS TIMESTAMP)`,
  'DATE>TIMESTAMP': ({ value, zone }) => instantIn(`CAST(${value} AS TIMESTAMP)`, zone),
};

/**
 * Converts a value to another type. The SQL has exactly the target's DuckDB type. A value of the same type is
 * unchanged, so that DuckDB can prune by it.
 */
export function convert(from: SqlType, to: SqlType, conversion: Conversion): string {
  if (from.kind === 'ARRAY' && to.kind === 'ARRAY') {
    if (duckType(from) === duckType(to) && sameScalars(from, to)) return conversion.value;
    const element = convert(from.element, to.element, { ...conversion, value: 'x', constant: undefined });
    return `list_transform(${conversion.value}, lambda x: ${element})`;
  }
  if (from.kind === 'STRUCT' && to.kind === 'STRUCT') return convertStruct(from, to, conversion);
  if (from.kind === to.kind) return conversion.value;
  const convertScalar = conversions[`${from.kind}>${to.kind}`];
  if (convertScalar === undefined) throw unsupported(`CAST from ${formatType(from)} to ${formatType(to)}`);
  return convertScalar(conversion);
}

/** Whether two types differ only in the names of fields. */
function sameScalars(a: SqlType, b: SqlType): boolean {
  if (a.kind === 'ARRAY' && b.kind === 'ARRAY') return sameScalars(a.element, b.element);
  if (a.kind === 'STRUCT' && b.kind === 'STRUCT') {
    return (
      a.fields.length === b.fields.length &&
      a.fields.every(({ type }, i) => sameScalars(type, b.fields[i]?.type ?? type))
    );
  }
  return a.kind === b.kind;
}

function convertStruct(from: StructType, to: StructType, conversion: Conversion): string {
  const { value } = conversion;
  if (duckType(from) === duckType(to) && sameScalars(from, to)) return value;
  const fields = to.fields.map((field, i) => {
    const source = from.fields[i];
    if (source === undefined) throw unsupported('a CAST between STRUCTs of different length');
    const part = { ...conversion, value: structField(value, i, source.type), constant: undefined };
    return convert(source.type, field.type, part);
  });
  return `CASE WHEN ${value} IS NOT NULL THEN CAST(row(${fields.join(', ')}) AS ${duckType(to)}) END`;
}
