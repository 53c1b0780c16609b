/** Below such an aggregation is another one, which is merged or has a reason of its own. */
export const ofAggregates = 'an aggregation of aggregates';

const constructs: Readonly<Record<string, string>> = {
  resolved_aggregate_scan_node: ofAggregates,
  resolved_analytic_scan_node: 'a window function below the aggregation',
  resolved_array_scan_node: 'UNNEST without a table',
  resolved_join_scan_node: 'a join',
  resolved_limit_offset_scan_node: 'LIMIT below the aggregation',
  resolved_sample_scan_node: 'TABLESAMPLE',
  resolved_set_operation_scan_node: 'UNION, INTERSECT or EXCEPT',
  resolved_single_row_scan_node: 'a query without a table',
  resolved_with_scan_node: 'WITH below the aggregation',
};

/** What a scan is in a query's text, if an aggregation of its rows can't be merged from slices. */
export function scanConstruct(kind: string): string {
  return constructs[kind] ?? kind.replaceAll('_', ' ');
}
