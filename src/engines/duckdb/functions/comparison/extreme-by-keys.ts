import { withNamedValues } from '../../macros/named-values.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { comparisonKey } from './comparison-key.ts';

/**
 * The first of the arguments with the greatest or least key. NULL if one is NULL. Lists of them keep the SQL short: conditions would
 * compare each argument with all others.
 *
 * @param collated whether texts are compared without regard to letter case
 */
export function extremeByKeys(call: FunctionCall, extreme: 'max' | 'min', collated: boolean): string {
  const args = call.all();
  const lists = {
    values: `[${args.map(({ sql }) => sql).join(', ')}]`,
    keys: `[${args.map(({ sql, type }) => comparisonKey(sql, type, collated)).join(', ')}]`,
  };
  return withNamedValues('e', lists, ({ values, keys }) => {
    const first = `list_position(${keys}, list_${extreme}(${keys}))`;
    return `CASE WHEN list_count(${keys}) = ${args.length} THEN list_extract(${values}, ${first}) END`;
  });
}
