import type { Source } from '../../../../definitions/sources/source.ts';
import { flatColumns } from '../tables/flat-layout.ts';
import { valueSeparator } from './flat-batch.ts';
import type { ParsedRows } from './row-batch.ts';

/** The ids of rows, in their order. */
export function idsOf(source: Source, part: ParsedRows): string[] {
  return keysOf(source, part, 'id');
}

/** The times of rows in their order, in milliseconds since the epoch, rounded down. */
export function timesOf(source: Source, part: ParsedRows): number[] {
  return keysOf(source, part, 'timestamp').map((text) =>
    Date.parse(`${text.slice(0, 23).replace('Z', '')}Z`),
  );
}

function keysOf(source: Source, part: ParsedRows, key: 'id' | 'timestamp'): string[] {
  if ('text' in part) return part.text.split('\n').map((line) => String(JSON.parse(line)[key]));
  const index = flatColumns(source.columns).findIndex(({ name }) => name.toLowerCase() === key);
  const values = part.columns[index];
  if (typeof values !== 'string') throw new TypeError(`rows of ${source.name} without values of ${key}`);
  return values.split(valueSeparator);
}
