import { idColumn } from '../../../../definitions/sources/row-key.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { flatColumns } from '../tables/flat-layout.ts';
import { valueSeparator } from './flat-batch.ts';
import type { IngestPart } from './ingest-batch.ts';

/** The ids of rows as they were sent, in the order of the rows. Only for a source whose rows have ids. */
export function idsOf(source: Source, part: IngestPart): readonly string[] {
  if ('text' in part) return part.ids;
  const id = idColumn(source)?.name;
  const index = flatColumns(source.columns).findIndex(({ name }) => name === id);
  const values = part.columns[index];
  if (typeof values === 'boolean') return Array.from({ length: part.rows }, () => String(values));
  if (typeof values !== 'string') throw new TypeError(`rows of ${source.name} without ids`);
  return values.split(valueSeparator);
}
