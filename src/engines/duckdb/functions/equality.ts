import { unsupported } from '../../../sql/resolved/unsupported.ts';
import type { SqlType } from '../../../sql/type.ts';

/** `a = b` with the three values of GoogleSQL: NaN equals nothing, structs compare field by field. */
export function equals(a: string, b: string, type: SqlType): string {
  switch (type.kind) {
    case 'FLOAT64':
      // A join hashes by the first condition of the two.
      return `(${a} = ${b} AND NOT (isnan(${a}) AND isnan(${b})))`;
    case 'STRUCT': {
      const field = (value: string, i: number) => `struct_extract_at(${value}, ${i + 1})`;
      return `(${type.fields.map(({ type }, i) => equals(field(a, i), field(b, i), type)).join(' AND ')})`;
    }
    case 'ARRAY':
    case 'JSON':
      throw unsupported(`a comparison of ${type.kind}`);
    default:
      return `(${a} = ${b})`;
  }
}

/** Whether DuckDB's `=` is GoogleSQL's for values of the type that aren't NULL themselves. */
export function hasPlainEquality(type: SqlType): boolean {
  return !['FLOAT64', 'STRUCT', 'ARRAY', 'JSON'].includes(type.kind);
}
