import type { Source } from '../../../definitions/sources/source.ts';
import { sliceFacts } from '../../../engines/duckdb/emit/sliced/slice-facts.ts';
import { sourceName } from '../../../engines/duckdb/run/emit-context.ts';
import { keySql } from '../../../engines/duckdb/store/tables/key-sql.ts';
import type { SliceFacts } from '../../../engines/engine/slice-facts.ts';
import type { Plan } from '../../../sql/plan/plan.ts';

/** Which aggregations of a query over these sources are merged from slices. */
export function slicesOf(plan: Plan, sources: readonly Source[]): SliceFacts {
  return sliceFacts(plan, (table) => {
    const source = sources.find(({ name }) => name === sourceName(table));
    const key = source && keySql(source);
    return key?.isTimestamp === true ? key.timeName : undefined;
  });
}
