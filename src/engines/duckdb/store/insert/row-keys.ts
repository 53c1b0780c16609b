import type { Source } from '../../../../definitions/sources/source.ts';
import { flatColumns } from '../tables/flat-layout.ts';
import { valueSeparator } from './flat-batch.ts';
import type { IngestPart } from './ingest-batch.ts';

/** The ids of rows, in their order. */
export function idsOf(source: Source, part: IngestPart): readonly string[] {
  if ('text' in part) return part.ids;
  const index = flatColumns(source.columns).findIndex(({ name }) => name.toLowerCase() === 'id');
  const values = part.columns[index];
  if (typeof values !== 'string') throw new TypeError(`rows of ${source.name} without ids`);
  return values.split(valueSeparator);
}
