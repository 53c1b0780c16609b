import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import { placeOfByte } from '../../../sql/text/place.ts';
import type { SliceFacts } from '../../engine/slice-facts.ts';
import { NotSliceable } from '../sliceable/not-sliceable.ts';
import { sliceableAggregation } from '../sliceable/sliceable.ts';
import type { PreparedText } from '../sql/prepare-text.ts';

/**
 * Whether a query is merged from slices of finished days, and why it isn't.
 *
 * @param prepared the plan, prepared to run
 * @param timeName the column of type TIMESTAMP that orders a table, if there is one
 */
export function sliceFacts(
  plan: Plan,
  prepared: Pick<PreparedText, 'slices'>,
  timeName: (table: string) => string | undefined,
): SliceFacts {
  const isTimed = ({ table, column }: { readonly table: string; readonly column: string }) =>
    timeName(table)?.toLowerCase() === column.toLowerCase();
  const source = prepared.slices?.sources.find(isTimed);
  if (source !== undefined) return { merged: [source.table], others: [] };
  try {
    const found = sliceableAggregation(statementOf(plan));
    if (found === undefined) return { merged: [], others: [] };
    const construct = found.sources.some(isTimed)
      ? 'names that would be others over slices'
      : 'a window that is not one of the time of its source';
    return { merged: [], others: [{ construct }] };
  } catch (error) {
    if (!(error instanceof NotSliceable)) throw error;
    const { message: construct, byteOffset } = error;
    const place = byteOffset === undefined ? undefined : placeOfByte(plan, byteOffset);
    return { merged: [], others: [{ construct, ...place }] };
  }
}
