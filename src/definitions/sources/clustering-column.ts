import type { SourceColumn } from './source.ts';

/** https://cloud.google.com/bigquery/docs/creating-clustered-tables#limitations */
const clusteringTypes: ReadonlySet<string> = new Set([
  'BIGNUMERIC',
  'BOOL',
  'DATE',
  'DATETIME',
  'GEOGRAPHY',
  'INT64',
  'NUMERIC',
  'STRING',
  'TIMESTAMP',
]);

/**
 * Why rows can't be clustered by a column, as on BigQuery; undefined if they can.
 *
 * @param before the clustering columns before it
 */
export function clusteringRefusal(
  name: string,
  before: readonly string[],
  columns: readonly SourceColumn[],
): string | undefined {
  const key = name.toLowerCase();
  const column = columns.find((candidate) => candidate.name.toLowerCase() === key);
  if (column === undefined) return `the source has no column ${name}`;
  if (before.some((other) => other.toLowerCase() === key)) return `the column ${name} is named twice`;
  const { kind } = column.type;
  if (kind === 'ARRAY') return `the column ${name} is repeated`;
  if (clusteringTypes.has(kind)) return undefined;
  return `rows can't be clustered by a column of type ${kind}: ${name}`;
}
