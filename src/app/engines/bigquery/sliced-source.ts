import { timeColumn } from '../../../definitions/sources/row-key.ts';
import { defaultLateSeconds, defaultSliceSeconds, type Source } from '../../../definitions/sources/source.ts';
import type { SlicedSource } from '../../../engines/bigquery/slices/sliced-runs.ts';

/** How the rows of a source are sliced by day: by its TIMESTAMP, if it is one table that has a partition of its own for each day. */
export function slicedSource(source: Source | undefined): SlicedSource | undefined {
  const time = source && timeColumn(source);
  if (source === undefined || time?.type.kind !== 'TIMESTAMP') return undefined;
  if (source.wildcard !== undefined || source.partitioned !== undefined) return undefined;
  const { lateSeconds = defaultLateSeconds, sliceSeconds = defaultSliceSeconds, retentionDays } = source;
  return { column: time.name, lateSeconds, sliceSeconds, ...(retentionDays && { retentionDays }) };
}
