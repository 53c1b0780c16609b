import { type SqlType, type StructField, scalarTypeNames } from './type.ts';

/** Deeper types are refused: BigQuery nests records up to 15 levels. */
const maxDepth = 15;

const scalar = scalarTypeNames.join('|');
/** A scalar type, or the beginning of another one. */
const typeStart = new RegExp(`\\s*(?:(ARRAY|STRUCT)\\s*<|(${scalar})(?=\\s*(?:[,>]|$)))`, 'iy');
/** The name of a field, if it has one. Names may contain spaces and brackets, so it ends where a type begins. */
const fieldName = new RegExp(`\\s*(?:([^,\\s][^,]*?)\\s+)??(?=${typeStart.source})`, 'iy');

/**
 * The type that a text in GoogleSQL syntax means, as `formatType` writes it: `INT64`,
 * `ARRAY<STRUCT<path STRING, n INT64>>`. Letter case and spaces don't matter. Undefined for everything else, also for an
 * array of arrays, which BigQuery doesn't have.
 */
export function parseType(text: string): SqlType | undefined {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const type = (depth: number): SqlType | undefined => {
    const [, compound, name] = take(typeStart) ?? [];
    if (depth > maxDepth) return undefined;
    if (compound !== undefined) return compound.toUpperCase() === 'ARRAY' ? array(depth) : struct(depth);
    const kind = scalarTypeNames.find((known) => known === name?.toUpperCase());
    return kind && { kind };
  };
  const array = (depth: number): SqlType | undefined => {
    const element = type(depth + 1);
    return element !== undefined && element.kind !== 'ARRAY' && take(/\s*>/y) !== null
      ? { kind: 'ARRAY', element }
      : undefined;
  };
  const struct = (depth: number): SqlType | undefined => {
    const fields: StructField[] = [];
    do {
      const [, name = ''] = take(fieldName) ?? [];
      const found = type(depth + 1);
      if (found === undefined) return undefined;
      fields.push({ name, type: found });
    } while (take(/\s*,/y) !== null);
    return take(/\s*>/y) === null ? undefined : { kind: 'STRUCT', fields };
  };
  const whole = type(0);
  return text.slice(at).trim() === '' ? whole : undefined;
}
