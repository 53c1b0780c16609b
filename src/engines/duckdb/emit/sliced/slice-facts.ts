import { type Plan, statementOf } from '../../../../sql/plan/plan.ts';
import { placeOfByte } from '../../../../sql/text/place.ts';
import type { SliceFacts } from '../../../engine/slice-facts.ts';
import { isVolatile } from '../volatile/is-volatile.ts';
import { sliceStatement } from './slice-statement.ts';

/**
 * Which aggregations of a query are merged from slices, if there are enough rows, and why others aren't.
 *
 * @param timeName the column of type TIMESTAMP that orders a table, if there is one; by default, `timestamp`
 */
export function sliceFacts(plan: Plan, timeName?: (table: string) => string | undefined): SliceFacts {
  const statement = statementOf(plan);
  if (isVolatile(statement))
    return { merged: [], others: [{ construct: 'a function with another value each time' }] };
  const { aggregations, refusals } = sliceStatement(statement, new Map(), timeName);
  return {
    merged: aggregations.map(({ table }) => table),
    others: refusals.map(({ message, byteOffset }) => {
      const place = byteOffset === undefined ? undefined : placeOfByte(plan, byteOffset);
      return { construct: message, ...place };
    }),
  };
}
