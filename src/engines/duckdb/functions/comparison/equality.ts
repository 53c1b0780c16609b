import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { structField } from '../call/struct-field.ts';
import { comparisonKey } from './comparison-key.ts';

/** `a = b` with GoogleSQL's three-valued logic: NaN equals nothing, structs compare field by field. */
export function equals(a: string, b: string, type: SqlType): string {
  switch (type.kind) {
    case 'FLOAT64':
      // A hash join uses the first of the two conditions.
      return `(${a} = ${b} AND NOT (isnan(${a}) AND isnan(${b})))`;
    case 'STRUCT': {
      const fields = type.fields.map(({ type }, i) =>
        equals(structField(a, i, type), structField(b, i, type), type),
      );
      return `(${fields.join(' AND ')})`;
    }
    case 'INTERVAL':
      return `(${comparisonKey(a, type, false)} = ${comparisonKey(b, type, false)})`;
    case 'ARRAY':
    case 'JSON':
      throw unsupported(`a comparison of ${type.kind}`);
    default:
      return `(${a} = ${b})`;
  }
}

/** Whether DuckDB's `=` equals GoogleSQL's for non-NULL values of the type. */
export function hasPlainEquality(type: SqlType): boolean {
  return !['FLOAT64', 'INTERVAL', 'STRUCT', 'ARRAY', 'JSON'].includes(type.kind);
}
