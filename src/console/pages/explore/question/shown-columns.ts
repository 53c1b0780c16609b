import type { JsonObject } from '../../../api/json.ts';
import type { TableColumn } from '../../../parts/table/table-column.ts';
import { type ExploredTable, lastName, reach } from './explored-table.ts';
import { levelField } from './likely-fields.ts';
import { valueAt } from './row-values.ts';

/** A field as a column of the table of rows. */
export interface ShownColumn extends TableColumn {
  readonly path: string;
}

const shownAtFirst = 8;

/** The columns: the time, and those that are chosen or, if nobody has, the level and the simple ones of the table. */
export function shownColumns(
  table: ExploredTable,
  chosen: readonly string[] | undefined,
): readonly ShownColumn[] {
  const { time, columns } = table;
  const level = levelField(table);
  const simple = table.fields.filter(
    ({ lists, path }) => lists.length === 0 && path !== 'id' && path !== level?.path,
  );
  const first = [...(level === undefined ? [] : [level]), ...simple].slice(0, shownAtFirst);
  const some = first.length > 0 ? first.map(({ path }) => path) : columns.map(({ name }) => name);
  const paths = [...(time === undefined ? [] : [time]), ...(chosen ?? some).filter((path) => path !== time)];
  const names = new Set<string>();
  return paths.map((path) => {
    // The last name says enough, unless there are several of it.
    const short = lastName(path);
    const name = names.has(short) ? path : short;
    names.add(name);
    const type = path === time ? undefined : reach(table, path)?.type;
    return { path, name, type, description: path === name ? undefined : path };
  });
}

/** A row with these columns only. */
export function shownRow(row: JsonObject, columns: readonly ShownColumn[]): JsonObject {
  return Object.fromEntries(columns.map(({ path, name }) => [name, valueAt(row, path)]));
}
