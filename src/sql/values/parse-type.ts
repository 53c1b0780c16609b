import { type ScalarTypeName, type SqlType, type StructField, scalarTypeNames } from './type.ts';

/** Deeper types are refused: BigQuery nests records up to 15 levels. */
const maxDepth = 15;

/**
 * The type that a text in GoogleSQL syntax means: `INT64`, `ARRAY<STRUCT<path STRING, n INT64>>`. Letter case and spaces
 * don't matter. Undefined for everything else, also for an array of arrays, which BigQuery doesn't have.
 */
export function parseType(text: string): SqlType | undefined {
  const tokens = text.match(/[A-Za-z_][A-Za-z0-9_]*|\S/g) ?? [];
  let at = 0;
  const takes = (token: string): boolean => {
    if (tokens[at]?.toUpperCase() !== token) return false;
    at += 1;
    return true;
  };
  const type = (depth: number): SqlType | undefined => {
    if (depth > maxDepth) return undefined;
    if (takes('ARRAY')) return array(depth);
    if (takes('STRUCT')) return struct(depth);
    const name = tokens[at++]?.toUpperCase();
    return scalarTypeNames.includes(name as ScalarTypeName) ? { kind: name as ScalarTypeName } : undefined;
  };
  const array = (depth: number): SqlType | undefined => {
    const element = takes('<') ? type(depth + 1) : undefined;
    return element !== undefined && element.kind !== 'ARRAY' && takes('>')
      ? { kind: 'ARRAY', element }
      : undefined;
  };
  const struct = (depth: number): SqlType | undefined => {
    if (!takes('<')) return undefined;
    const fields: StructField[] = [];
    do {
      const isNamed = !/^[<>,]?$/.test(tokens[at + 1] ?? '');
      const name = isNamed ? (tokens[at++] ?? '') : '';
      const found = type(depth + 1);
      if (found === undefined || (name !== '' && !/^[A-Za-z_]/.test(name))) return undefined;
      fields.push({ name, type: found });
    } while (takes(','));
    return takes('>') ? { kind: 'STRUCT', fields } : undefined;
  };
  const whole = type(0);
  return at === tokens.length ? whole : undefined;
}
