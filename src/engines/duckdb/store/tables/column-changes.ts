import { type TableColumn, typeText } from './schema-change.ts';

/** What happens to the columns of a table, a phrase each, such as `metadata.region is new`. */
export function columnChanges(columns: readonly TableColumn[], within = ''): string[] {
  return columns.flatMap((column) => {
    const path = `${within}${column.name}`;
    const { from, replaced } = column;
    if (replaced !== undefined)
      return [
        `${path} becomes ${typeText(column)} instead of ${typeText(replaced)}, which no row has a value of`,
      ];
    if (from === undefined)
      return [`${path} ${typeText(column)} is new, and stored rows have ${absent(column)}`];
    if (column.isHidden)
      return from.isHidden ? [] : [`${within}${from.name} is removed: its values are kept, hidden`];
    return [...ownChanges(column, from, path, within), ...columnChanges(column.fields, `${path}.`)];
  });
}

function ownChanges(
  column: TableColumn,
  from: NonNullable<TableColumn['from']>,
  path: string,
  within: string,
): string[] {
  const changes: string[] = [];
  if (from.isHidden) changes.push(`${path} is back, with its values`);
  if (from.name.toLowerCase() !== column.name.toLowerCase())
    changes.push(`${within}${from.name} is called ${path}`);
  if (typeText(from) !== typeText(column))
    changes.push(`${path} is converted from ${typeText(from)} to ${typeText(column)}`);
  else if (from.mode !== column.mode)
    changes.push(
      column.mode === 'REQUIRED'
        ? `${path} is required of new rows, and stored rows without it keep NULL`
        : `${path} may be NULL`,
    );
  return changes;
}

function absent({ mode }: TableColumn): string {
  return mode === 'REPEATED' ? 'an empty list' : 'NULL';
}
