import { unsupported } from '../../../sql/resolved/unsupported.ts';
import type { SqlType } from '../../../sql/type.ts';

/** `a = b` with the three values of GoogleSQL: NaN equals nothing, structs compare field by field. */
export function equals(a: string, b: string, type: SqlType): string {
  switch (type.kind) {
    case 'FLOAT64':
      return `(${a} = ${b} AND NOT isnan(${a}))`;
    case 'STRUCT': {
      const field = (value: string, i: number) => `struct_extract_at(${value}, ${i + 1})`;
      return `(${type.fields.map(({ type }, i) => equals(field(a, i), field(b, i), type)).join(' AND ')})`;
    }
    case 'ARRAY':
      return arrayEquals(a, b, type.element);
    case 'JSON':
      throw unsupported('a comparison of JSON');
    default:
      return `(${a} = ${b})`;
  }
}

/** Whether DuckDB's `=` is GoogleSQL's for values of the type that aren't NULL themselves. */
export function hasPlainEquality(type: SqlType): boolean {
  return !['FLOAT64', 'STRUCT', 'ARRAY', 'JSON'].includes(type.kind);
}

/** An element that is NULL makes the comparison NULL, unless another element differs. */
function arrayEquals(a: string, b: string, element: SqlType): string {
  if (!hasPlainEquality(element))
    throw unsupported('a comparison of arrays whose elements are no plain values');
  const pairs = `list_zip(${a}, ${b})`;
  return `CASE WHEN ${a} IS NULL OR ${b} IS NULL THEN NULL WHEN len(${a}) <> len(${b}) THEN false
    WHEN list_bool_or(list_transform(${pairs}, lambda p: p[1] <> p[2])) THEN false
    WHEN list_bool_or(list_transform(${pairs}, lambda p: p[1] IS NULL OR p[2] IS NULL)) THEN NULL ELSE true END`;
}
