import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { formatType, type SqlType } from '../../../../sql/values/type.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { jsonString, plainJson } from '../../macros/json.ts';
import { doubleToString } from '../../macros/numbers.ts';
import { civilText, clockText } from '../../macros/time.ts';
import { bignumericFunctions } from '../../udf/decimals/decimal-functions.ts';
import { isoTextOfInterval } from '../../udf/interval/interval-functions.ts';
import { type DecimalForm, decimalJson } from '../../udf/json/build-functions.ts';
import { joinedTexts } from '../call/concatenated.ts';
import { namedType } from '../call/named-type.ts';
import { structField } from '../call/struct-field.ts';

/** Options of the conversion to JSON. */
interface Form {
  /** Whether the result is for the type JSON, as in TO_JSON, and not a text, as in TO_JSON_STRING. */
  readonly isForJson?: boolean;
  /** Whether numbers that FLOAT64 can't represent become strings. In a text they always do. */
  readonly isWideQuoted?: boolean;
  readonly depth?: number;
}

/** The JSON text of a value of a type, as TO_JSON_STRING writes it. NULL becomes `null`. */
export function toJsonString(value: string, type: SqlType): string {
  return written(value, type, { isWideQuoted: true });
}

/** The JSON text of TO_JSON's result, before it is made canonical. */
export function jsonOf(value: string, type: SqlType, form: Omit<Form, 'isForJson'> = {}): string {
  return written(value, type, { ...form, isForJson: true });
}

function written(value: string, type: SqlType, form: Form): string {
  if (type.kind === 'ARRAY' || type.kind === 'STRUCT') {
    const named = namedType(type);
    if (named !== undefined) return writtenAtOnce(value, named, form);
  }
  return `CASE WHEN ${value} IS NULL THEN 'null' ELSE ${present(value, type, form)} END`;
}

/** Written field by field, the SQL of a deep record would take DuckDB a second to plan. */
function writtenAtOnce(value: string, named: string, { isWideQuoted = false }: Form): string {
  const json = `CAST(to_json(CAST(${value} AS ${named})) AS VARCHAR)`;
  return `coalesce(${plainJson.call([json, String(isWideQuoted)])}, 'null')`;
}

const quoted = (text: string) => `('"' || ${text} || '"')`;

const jsonNumber = { min: '-9007199254740992', max: '9007199254740992' };

/** The text of a value that isn't NULL. */
function present(value: string, type: SqlType, form: Form): string {
  switch (type.kind) {
    case 'BOOL':
      return `CAST(${value} AS VARCHAR)`;
    case 'STRING':
      return jsonString.call([value]);
    case 'INT64': {
      // Beyond 2^53 a reader that only knows floating point would lose digits.
      const text = `CAST(${value} AS VARCHAR)`;
      return form.isWideQuoted
        ? `CASE WHEN ${value} BETWEEN ${jsonNumber.min} AND ${jsonNumber.max} THEN ${text} ELSE ${quoted(text)} END`
        : text;
    }
    case 'FLOAT64': {
      // DuckDB's text has a point or an exponent, which distinguishes it from an integer.
      const text = form.isForJson
        ? `CASE WHEN ${value} = 0 THEN '0.0' ELSE CAST(${value} AS VARCHAR) END`
        : doubleToString.call([value]);
      return `CASE WHEN isfinite(${value}) THEN ${text} WHEN isnan(${value}) THEN '"NaN"'
        WHEN ${value} > 0 THEN '"Infinity"' ELSE '"-Infinity"' END`;
    }
    case 'NUMERIC':
      return decimal(`CAST(${value} AS VARCHAR)`, form);
    case 'BIGNUMERIC':
      return decimal(bignumericFunctions.toText.call([value]), form);
    case 'BYTES':
      return quoted(`to_base64(${value})`);
    case 'DATE':
      return quoted(`CAST(${value} AS VARCHAR)`);
    case 'TIME':
      return quoted(clockText.call([value]));
    case 'TIMESTAMP':
      return quoted(`replace(${civilText.call([value, "'Z'"])}, ' ', 'T')`);
    case 'DATETIME':
      return quoted(`replace(${civilText.call([value, "''"])}, ' ', 'T')`);
    case 'INTERVAL':
      return quoted(isoTextOfInterval.call([value]));
    case 'JSON':
      return value;
    case 'ARRAY': {
      const depth = form.depth ?? 0;
      const element = `j${depth}`;
      const texts = `list_transform(${value}, lambda ${element}: ${written(element, type.element, { ...form, depth: depth + 1 })})`;
      return `('[' || coalesce(array_to_string(${texts}, ','), '') || ']')`;
    }
    case 'STRUCT': {
      const fields = type.fields.flatMap((field, i) => [
        stringLiteral(`${i > 0 ? ',' : ''}${JSON.stringify(field.name)}:`),
        written(structField(value, i, field.type), field.type, form),
      ]);
      return joinedTexts(["'{'", ...fields, "'}'"]);
    }
    default:
      throw unsupported(`TO_JSON_STRING of ${formatType(type)}`);
  }
}

function decimal(digits: string, { isForJson = false, isWideQuoted = false }: Form): string {
  const form: DecimalForm = !isForJson ? 'text' : isWideQuoted ? 'json with strings' : 'json';
  return decimalJson.call([digits, `'${form}'`]);
}
