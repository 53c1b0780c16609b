import { structFieldNames } from '../../../sql/values/column-names.ts';
import { formatType, type SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { isList } from '../../../sql/values/value.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import { type JsonStyle, plainStyle } from './json-style.ts';

/** Renders one value as JSON text. */
type ValueRenderer = (value: Value) => string;

/**
 * Returns the renderer for a type. The table of values in docs/rest.md says how each is written.
 *
 * The renderer throws a plain error, which is a defect, for a value that doesn't have the form described in `Value`.
 */
export function valueRenderer(type: SqlType, style: JsonStyle = plainStyle): ValueRenderer {
  switch (type.kind) {
    case 'TIMESTAMP':
      return style.timestamps === 'iso' ? isoRenderer(type) : integerRenderer(type);
    case 'INT64':
      return integerRenderer(type);
    case 'FLOAT64':
      return (value) => {
        if (typeof value === 'number') return renderFloat(value, style);
        return renderNull(value, type);
      };
    case 'BOOL':
      return (value) => {
        if (typeof value === 'boolean') return value ? 'true' : 'false';
        return renderNull(value, type);
      };
    case 'ARRAY':
      return arrayRenderer(valueRenderer(type.element, style), type);
    case 'STRUCT': {
      const fields = type.fields.map((field) => valueRenderer(field.type, style));
      return objectRenderer(structFieldNames(type.fields), fields, type);
    }
    case 'JSON':
      return style.json === 'inline' ? inlineRenderer(type) : textRenderer(type);
    default:
      return textRenderer(type);
  }
}

/** A TIMESTAMP, in microseconds since the epoch, as RFC 3339 has it, in UTC. */
export function timestampText(micros: bigint): string {
  return `${datetimeTextOfMicros(micros)}Z`;
}

function integerRenderer(type: SqlType): ValueRenderer {
  return (value) => (typeof value === 'bigint' ? value.toString() : renderNull(value, type));
}

function isoRenderer(type: SqlType): ValueRenderer {
  return (value) => (typeof value === 'bigint' ? `"${timestampText(value)}"` : renderNull(value, type));
}

function textRenderer(type: SqlType): ValueRenderer {
  return (value) => (typeof value === 'string' ? JSON.stringify(value) : renderNull(value, type));
}

/** A JSON text contains line breaks only between its tokens, where each may be a space. */
function inlineRenderer(type: SqlType): ValueRenderer {
  return (value) => (typeof value === 'string' ? value.replace(/[\r\n]+/g, ' ') : renderNull(value, type));
}

/** The renderer of records and rows: an object with a key for each value, in order. */
export function objectRenderer(
  names: readonly string[],
  renderers: readonly ValueRenderer[],
  type: SqlType,
): ValueRenderer {
  const fields = renderers.map((render, index) => {
    const lead = `${index === 0 ? '{' : ','}${JSON.stringify(names[index])}:`;
    // Most fields of a log row are NULL: a precomputed text saves a call and a concatenation.
    return { lead, render, whenNull: lead + render(null) };
  });
  const end = fields.length === 0 ? '{}' : '}';
  return (value) => {
    if (!isList(value)) return renderNull(value, type);
    if (value.length !== fields.length) throw mismatch(type);
    let text = '';
    let index = 0;
    for (const { lead, render, whenNull } of fields) {
      const field = value[index++] ?? null;
      text += field === null ? whenNull : lead + render(field);
    }
    return text + end;
  };
}

function arrayRenderer(render: ValueRenderer, type: SqlType): ValueRenderer {
  return (value) => {
    if (value === null) return '[]';
    if (!isList(value)) throw mismatch(type);
    return `[${value.map((item) => render(item)).join(',')}]`;
  };
}

/** Whole numbers keep a `.0`, so that callers can tell the type. JSON has no numbers for infinities and NaN. */
export function renderFloat(value: number, { nonFinite }: JsonStyle): string {
  if (!Number.isFinite(value)) return nonFinite === 'text' ? `"${value}"` : 'null';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function renderNull(value: Value, type: SqlType): string {
  if (value !== null) throw mismatch(type);
  return 'null';
}

function mismatch(type: SqlType): Error {
  return new Error(`the engine returned a value that is not of type ${formatType(type)}`);
}
