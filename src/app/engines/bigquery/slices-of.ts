import type { Planner } from '../../../calls/planner/planner.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { tableOfPath } from '../../../definitions/sources/source.ts';
import { sliceFacts } from '../../../engines/bigquery/slices/slice-facts.ts';
import type { SliceFacts } from '../../../engines/engine/slice-facts.ts';
import type { Plan } from '../../../sql/plan/plan.ts';
import { slicedSource } from './sliced-source.ts';

/** Where tables are makes no difference to what can be merged. */
const anywhere = { project: 'project', dataset: 'dataset', tables: new Map<string, string>() };

/** Which aggregations of a query over these sources are merged from slices of finished days. */
export async function slicesOf(
  plan: Plan,
  sources: readonly Source[],
  planner: Pick<Planner, 'prepareText'>,
): Promise<SliceFacts> {
  const prepared = await planner.prepareText(plan, anywhere);
  return sliceFacts(plan, prepared, (table) => {
    const name = tableOfPath(table);
    return slicedSource(sources.find((source) => source.name === name))?.column;
  });
}
