import { otherNames } from '../../../definitions/sources/sent-name.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { TimeField } from './time-field.ts';

/**
 * The columns of a source, and the fields that arriving rows may have for them: what is renamed, by its name before, and what
 * contains the time. So the values of a file's columns are written as those that they become.
 */
export function arrivingColumns(source: Source): SourceColumn[] {
  const { columns, rename } = source;
  const own = (name: string) => columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  const renamed = rename.flatMap(({ from, to }) => {
    const column = own(to);
    return column === undefined ? [] : [{ ...column, name: from }];
  });
  const sent = columns.flatMap((column) => otherNames(column).map((name) => ({ ...column, name })));
  const { column: time, paths } = new TimeField(source);
  const column = time === undefined ? undefined : own(time);
  const times = column === undefined ? [] : paths.map((name): SourceColumn => ({ ...column, name }));
  return [...columns, ...renamed, ...sent, ...times];
}
