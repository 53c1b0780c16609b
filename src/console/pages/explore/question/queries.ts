import { writtenLiteral } from '../../../../sql/editing/written-literal.ts';
import { writtenName } from '../../../../sql/editing/written-name.ts';
import type { Exploration } from './exploration.ts';
import { type ExploredTable, lastName, type Reached, reach } from './explored-table.ts';
import { rowsWith, unnested, whereOf } from './pieces.ts';

/** The rows that are shown at once. */
export const shownRows = 200;
/** The rows on either side of one: no more than a dialog shows at once. */
export const rowsAround = 10;

/** The rows that pass, in the order that is chosen. */
export function rowsSql(
  table: ExploredTable,
  { order, columns }: Pick<Exploration, 'order' | 'columns'>,
  conditions: readonly string[],
): string {
  const field = order && reach(table.ofRow, order.path);
  const isJoined = field !== undefined && field.lists.length > 0;
  return `SELECT ${selected(table, columns, isJoined)}
${rowsWith(table, field, conditions, 'first')}${orderBy(table, field, order?.isDescending)}
LIMIT ${shownRows}`;
}

/** All columns, or those that are chosen, to go on with in an editor. */
function selected(table: ExploredTable, columns: readonly string[] | undefined, isJoined: boolean): string {
  const readable = isJoined ? table.ofRow : table;
  const chosen = columns?.flatMap((path) => reach(readable, path) ?? []) ?? [];
  if (chosen.length === 0) return isJoined ? `${table.alias}.*` : '*';
  const { time } = table;
  const taken = new Set<string>(time === undefined ? [] : [time.toLowerCase()]);
  const items = chosen.map((field) => {
    let name = lastName(field.path);
    while (taken.has(name.toLowerCase())) name += '_';
    taken.add(name.toLowerCase());
    return `${valueSql(field)} AS ${writtenName(name)}`;
  });
  return `\n  ${[...(time === undefined ? [] : [`${isJoined ? `${table.alias}.` : ''}${writtenName(time)}`]), ...items].join(',\n  ')}`;
}

function valueSql(field: Reached): string {
  const { lists, sql } = field;
  return lists.length === 0 ? sql : `ARRAY(SELECT ${sql} FROM ${unnested(field)} WHERE ${sql} IS NOT NULL)`;
}

function orderBy({ timeSql }: ExploredTable, field: Reached | undefined, isDescending = false): string {
  if (field !== undefined) return `\nORDER BY ${field.sql} ${isDescending ? 'DESC' : 'ASC NULLS LAST'}`;
  return timeSql === undefined ? '' : `\nORDER BY ${timeSql} DESC`;
}

/**
 * How many rows there are in each step of time, by the values of a field: columns `second`, `value` and `row_count`. A row
 * with several values counts with the first one.
 *
 * @param step in whole seconds
 * @param split of `ofRow`; undefined: `value` is NULL
 */
export function histogramSql(
  table: ExploredTable,
  conditions: readonly string[],
  step: number,
  split: Reached | undefined,
): string {
  // DIV rounds towards 0, and no time of GoogleSQL is before this shift.
  const shift = Math.ceil(62_135_596_800 / step);
  const second = `(DIV(UNIX_SECONDS(${table.ofRow.timeSql}) + ${shift * step}, ${step}) - ${shift}) * ${step}`;
  const value = split === undefined ? 'CAST(NULL AS STRING)' : `CAST(${split.sql} AS STRING)`;
  return `SELECT ${second} AS second, ${value} AS value, COUNT(*) AS row_count
${rowsWith(table, split, conditions, 'first')}
GROUP BY second, value`;
}

/** How many rows pass: the column `row_count`. For tables without times. */
export function countSql(table: ExploredTable, conditions: readonly string[]): string {
  return `SELECT COUNT(*) AS row_count\nFROM ${table.from}${whereOf(conditions)}`;
}

/** The time of the newest row that the filters leave: the column `newest`. */
export function newestSql(table: ExploredTable, conditions: readonly string[]): string {
  return `SELECT MAX(${table.timeSql}) AS newest\nFROM ${table.from}${whereOf(conditions)}`;
}

/**
 * The rows beside one in time: the nearest before it, or from it on.
 *
 * @param time as answers write it
 */
export function aroundSql(table: ExploredTable, time: string, side: 'before' | 'after'): string {
  const full = time.includes(':') ? time : `${time}T00:00:00`;
  const { sql = 'NULL' } = writtenLiteral('TIMESTAMP', /(Z|[+-]\d\d:\d\d)$/.test(full) ? full : `${full}Z`);
  const [operator, direction, count] =
    side === 'before' ? (['<', 'DESC', rowsAround] as const) : (['>=', 'ASC', rowsAround + 1] as const);
  return `SELECT *\nFROM ${table.from}\nWHERE ${table.timeSql} ${operator} ${sql}\nORDER BY ${table.timeSql} ${direction}\nLIMIT ${count}`;
}
