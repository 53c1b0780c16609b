import { readInterval } from '../../../../engines/duckdb/udf/interval/interval-text.ts';
import { writeJson } from '../../../../engines/duckdb/udf/json/json-value.ts';
import { parseJson } from '../../../../engines/duckdb/udf/json/parser.ts';
import { parseDate, parseDatetime, parseTime } from '../../../../sql/values/civil-text.ts';
import { parseDecimal } from '../../../../sql/values/decimal-text.ts';
import { parseTimestamp } from '../../../../sql/values/timestamp-text.ts';
import type { ScalarTypeName } from '../../../../sql/values/type.ts';
import type { Value } from '../../../../sql/values/value.ts';
import { formatInterval } from '../../../../sql/values/value-text.ts';

const floatWords: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['+infinity', Number.POSITIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);

/** Parses the text of a parameter. Undefined if it is not a value of the type. */
export function readScalar(kind: ScalarTypeName, text: string): Value | undefined {
  switch (kind) {
    case 'STRING':
      return text;
    case 'BOOL':
      return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined;
    case 'INT64': {
      if (!/^[+-]?\d{1,19}$/.test(text)) return undefined;
      const number = BigInt(text.replace('+', ''));
      return BigInt.asIntN(64, number) === number ? number : undefined;
    }
    case 'FLOAT64':
      if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
      return floatWords.get(text.toLowerCase());
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return parseDecimal(text, kind);
    case 'DATE':
      return parseDate(text);
    case 'TIME':
      return parseTime(text);
    case 'DATETIME':
      return parseDatetime(text);
    case 'TIMESTAMP':
      // Casts allow a space before an offset; parameters don't.
      return / [+-]/.test(text) ? undefined : parseTimestamp(text);
    case 'BYTES':
      return Buffer.from(text, 'base64').toString('base64') === text ? text : undefined;
    case 'JSON':
      return orNothing(() => writeJson(parseJson(text, 'exact')));
    case 'INTERVAL':
      return orNothing(() => intervalValue(text));
    case 'GEOGRAPHY':
      return undefined;
  }
}

function intervalValue(text: string): string {
  const { months, days, micros } = readInterval(text);
  return formatInterval(months, days, micros);
}

/** Returns the parser's result, or undefined if it throws. */
function orNothing(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
