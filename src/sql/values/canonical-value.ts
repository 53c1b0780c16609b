import type { ScalarTypeName } from './type.ts';
import type { Value } from './value.ts';

/** The value in a form that is unique in JSON among the values of its type. */
export function canonicalValue(value: Value): Value {
  if (typeof value === 'bigint') return value.toString();
  // JSON would write null for numbers that aren't finite, and 0 for -0.
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return Array.isArray(value) ? value.map(canonicalValue) : value;
}

/** The value of a scalar type from its canonical form. Undefined if that is none of the type. */
export function valueFromCanonical(type: ScalarTypeName, canonical: unknown): Value | undefined {
  if (canonical === null) return null;
  if (type === 'BOOL') return typeof canonical === 'boolean' ? canonical : undefined;
  if (typeof canonical !== 'string') return undefined;
  if (type === 'INT64' || type === 'TIMESTAMP')
    return /^-?\d{1,20}$/.test(canonical) ? BigInt(canonical) : undefined;
  return type === 'FLOAT64' ? Number(canonical) : canonical;
}
