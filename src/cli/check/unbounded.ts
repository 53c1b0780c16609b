import { compareProblems, type Problem } from '../../base/errors/problem.ts';
import type { Endpoint, EndpointPlaces } from '../../definitions/endpoints/endpoint.ts';
import { timeColumn } from '../../definitions/sources/row-key.ts';
import { type Source, sourceOfTable } from '../../definitions/sources/source.ts';
import { unboundedReads } from '../../engines/bigquery/bounds/unbounded-reads.ts';
import { statementOf, withOwnTree } from '../../sql/plan/plan.ts';
import { placeOfByte } from '../../sql/text/place.ts';

/**
 * A warning for each source of which an endpoint reads every row, however many there will be. Reference tables have no time, the days
 * of a wildcard are chosen by the names of its tables, and a source that requires bounds refuses such a query.
 */
export function unboundedWarnings(
  endpoints: readonly Endpoint[],
  sources: readonly Source[],
  places: EndpointPlaces,
): readonly Problem[] {
  const times = new Map(
    sources.flatMap((source) => {
      const time = timeColumn(source);
      const isChecked = time?.type.kind === 'TIMESTAMP' && !source.requireTimeBound;
      return isChecked ? [[source.name, time.name] as const] : [];
    }),
  );
  const warnings = endpoints.flatMap((endpoint) => {
    const plan = withOwnTree(endpoint.plan);
    const reads = unboundedReads(statementOf(plan), (table) => {
      const { name, isWildcard } = sourceOfTable(table.slice(table.indexOf('.') + 1));
      return isWildcard ? undefined : times.get(name);
    });
    const inOrder = [...reads].sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
    return [...Map.groupBy(inOrder, ({ table }) => table)].flatMap(([table, [first]]) => {
      if (first === undefined) return [];
      const { start, column } = first;
      const place =
        (start === undefined ? undefined : placeOfByte(plan, start)) ?? places.locate(endpoint, []);
      const text = `${endpoint.name} reads every row of ${table}: it has no bound of "${column}"`;
      return [{ file: endpoint.file, ...place, text }];
    });
  });
  return warnings.sort(compareProblems);
}
