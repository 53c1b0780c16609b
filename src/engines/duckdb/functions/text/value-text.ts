import type { SqlType } from '../../../../sql/values/type.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { doubleToString, numericToString } from '../../macros/numbers.ts';
import { escapedBytesText, quotedBytes, quotedText } from '../../udf/format/quoted-literal.ts';
import { joinedTexts } from '../call/concatenated.ts';
import { structField } from '../call/struct-field.ts';
import { convert } from '../conversions/conversions.ts';

/** Whether the text is for reading (`%t`) or a SQL literal (`%T`). */
type Style = 't' | 'T';

/**
 * The text of a value for FORMAT's %t and %T, as SQL. NULL for NULL.
 *
 * @param depth the number of lists that contain the value
 */
export function valueText(type: SqlType, value: string, style: Style, depth = 0): string {
  switch (type.kind) {
    case 'ARRAY': {
      const element = `element${depth}`;
      const text = orNull(valueText(type.element, element, style, depth + 1));
      return `('[' || array_to_string(list_transform(${value}, lambda ${element}: ${text}), ', ') || ']')`;
    }
    case 'STRUCT': {
      const fields = type.fields.flatMap((field, i) => [
        ...(i > 0 ? ["', '"] : []),
        orNull(valueText(field.type, structField(value, i, field.type), style, depth)),
      ]);
      const open = style === 'T' && type.fields.length === 1 ? "'STRUCT('" : "'('";
      return `CASE WHEN ${value} IS NOT NULL THEN ${joinedTexts([open, ...fields, "')'"])} END`;
    }
    default:
      return style === 't' ? readable(type, value) : literal(type, value);
  }
}

/** The same, with the word NULL for NULL. */
export function orNull(text: string): string {
  return `coalesce(${text}, 'NULL')`;
}

function readable(type: SqlType, value: string): string {
  switch (type.kind) {
    case 'STRING':
    case 'JSON':
      return value;
    case 'BYTES':
      return escapedBytesText.call([value]);
    case 'NUMERIC':
      return numericToString.call([value]);
    case 'FLOAT64': {
      const text = doubleToString.call([value]);
      // Only here does the text of a FLOAT64 zero have a sign.
      return `CASE WHEN ${value} = 0 THEN CAST(${value} AS VARCHAR) ELSE ${text} || CASE WHEN isfinite(${value}) AND NOT regexp_matches(${text}, '[.e]') THEN '.0' ELSE '' END END`;
    }
    default:
      return convert(type, { kind: 'STRING' }, { value, constant: undefined, safe: false, zone: undefined });
  }
}

/** The prefix of the quoted text in a type's literals. */
const prefixes: Readonly<Record<string, string>> = {
  NUMERIC: 'NUMERIC',
  BIGNUMERIC: 'BIGNUMERIC',
  DATE: 'DATE',
  DATETIME: 'DATETIME',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
  INTERVAL: 'INTERVAL',
};

function literal(type: SqlType, value: string): string {
  const text = readable(type, value);
  switch (type.kind) {
    case 'STRING':
      return quotedText.call([value]);
    case 'BYTES':
      return quotedBytes.call([value]);
    case 'JSON':
      return `('JSON ' || ${quotedText.call([value])})`;
    case 'FLOAT64':
      return `CASE WHEN isfinite(${value}) THEN ${text} ELSE 'CAST("' || ${text} || '" AS FLOAT64)' END`;
    default: {
      const prefix = prefixes[type.kind];
      if (prefix === undefined) return text;
      const suffix = type.kind === 'INTERVAL' ? '" YEAR TO SECOND' : '"';
      return `(${stringLiteral(`${prefix} "`)} || ${text} || ${stringLiteral(suffix)})`;
    }
  }
}
