import { unsupported } from '../../../sql/resolved/unsupported.ts';
import { formatType, type SqlType } from '../../../sql/type.ts';
import { stringLiteral } from '../literal.ts';
import { jsonString } from '../macros/json.ts';
import { doubleToString } from '../macros/numbers.ts';
import { civilText, clockText } from '../macros/time.ts';

/** The JSON text of a value of a type, as TO_JSON_STRING writes it. NULL becomes `null`. */
export function toJsonString(value: string, type: SqlType, depth = 0): string {
  return `CASE WHEN ${value} IS NULL THEN 'null' ELSE ${present(value, type, depth)} END`;
}

const quoted = (text: string) => `('"' || ${text} || '"')`;

/** The text of a value that isn't NULL. */
function present(value: string, type: SqlType, depth: number): string {
  switch (type.kind) {
    case 'BOOL':
      return `CAST(${value} AS VARCHAR)`;
    case 'STRING':
      return jsonString.call([value]);
    case 'INT64': {
      // Beyond 2^53 a reader that knows only floating point would lose digits.
      const text = `CAST(${value} AS VARCHAR)`;
      return `CASE WHEN ${value} BETWEEN -9007199254740992 AND 9007199254740992 THEN ${text} ELSE ${quoted(text)} END`;
    }
    case 'FLOAT64':
      return `CASE WHEN isfinite(${value}) THEN ${doubleToString.call([value])} WHEN isnan(${value}) THEN '"NaN"'
        WHEN ${value} > 0 THEN '"Infinity"' ELSE '"-Infinity"' END`;
    case 'DATE':
      return quoted(`CAST(${value} AS VARCHAR)`);
    case 'TIME':
      return quoted(clockText.call([value]));
    case 'TIMESTAMP':
      return quoted(`replace(${civilText.call([value, "'Z'"])}, ' ', 'T')`);
    case 'DATETIME':
      return quoted(`replace(${civilText.call([value, "''"])}, ' ', 'T')`);
    case 'JSON':
      return value;
    case 'ARRAY': {
      const element = `j${depth}`;
      const texts = `list_transform(${value}, lambda ${element}: ${toJsonString(element, type.element, depth + 1)})`;
      return `('[' || coalesce(array_to_string(${texts}, ','), '') || ']')`;
    }
    case 'STRUCT': {
      const fields = type.fields.map((field, i) => {
        const name = stringLiteral(`${i > 0 ? ',' : ''}${JSON.stringify(field.name)}:`);
        return `${name} || ${toJsonString(`struct_extract_at(${value}, ${i + 1})`, field.type, depth)}`;
      });
      return `('{' || ${[...fields, "'}'"].join(' || ')})`;
    }
    default:
      throw unsupported(`TO_JSON_STRING of ${formatType(type)}`);
  }
}
