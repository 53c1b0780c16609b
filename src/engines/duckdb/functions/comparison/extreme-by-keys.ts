import type { FunctionCall } from '../call/function-call.ts';
import { comparisonKey } from './comparison-key.ts';

/**
 * The first of the greatest or least arguments by their keys. NULL if one is NULL.
 *
 * @param collated whether texts are compared without regard to letter case
 */
export function extremeByKeys(call: FunctionCall, operator: '>=' | '<=', collated: boolean): string {
  const values = call.all();
  const keys = values.map(({ sql, type }) => comparisonKey(sql, type, collated));
  const isNull = values.map(({ sql }) => `${sql} IS NULL`).join(' OR ');
  const found = values.map(({ sql }, i) => {
    const isExtreme = keys.slice(i + 1).map((key) => `${keys[i]} ${operator} ${key}`);
    return `WHEN ${isExtreme.length === 0 ? 'true' : isExtreme.join(' AND ')} THEN ${sql}`;
  });
  return `CASE WHEN ${isNull} THEN NULL ${found.join(' ')} END`;
}
