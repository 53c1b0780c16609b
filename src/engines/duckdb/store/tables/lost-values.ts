import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { isLost, isTried } from './convert-values.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import type { RowTable } from './row-table.ts';
import { type TableColumn, typeText } from './schema-change.ts';
import type { StoredColumn } from './stored-schema.ts';

/** Why a column of a source can't be as its file has it: some of its values would be lost. */
export interface Fault {
  /** The names of the records around the column, and its own. Undefined if it has no values yet. */
  readonly path: string | undefined;
  /** What was changed, and how many rows it concerns. */
  readonly text: string;
  /** Some of these rows, with their values: for operators alone. */
  readonly examples: readonly string[];
  /** The stored column, if the file didn't have it before: its values can stay hidden. */
  readonly hidden: StoredColumn | undefined;
}

/** So many rows are shown. */
const maxExamples = 3;

/**
 * Tries a change on all rows.
 *
 * @param tables the source's tables: the flat one and the one of lists
 * @param columns as the tables are to be
 */
export async function lostValues(
  connection: DuckDBConnection,
  tables: readonly RowTable[],
  columns: readonly TableColumn[],
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const trial of trialsOf(columns)) {
    const { leaf, from } = trial;
    const found = await rowsOf(connection, tables.map((table) => trial.rows(table)).join(' UNION ALL '));
    if (found.count === 0) continue;
    const path = pathOf(leaf);
    const change = `the column ${path} was changed from ${typeText(from)} to ${typeText(leaf.column)}`;
    const rows = found.count === 1 ? 'one stored row has' : `${found.count} stored rows have`;
    faults.push({
      path,
      text: `${change}, but ${rows} ${trial.what}`,
      examples: found.examples,
      hidden: hiddenOf(leaf),
    });
  }
  return faults;
}

/** The paths of the columns whose changes are tried on rows. */
export function triedPaths(columns: readonly TableColumn[]): string[] {
  return trialsOf(columns).map(({ leaf }) => pathOf(leaf));
}

/** A look for rows whose values would be lost. */
interface Trial {
  readonly leaf: Leaf;
  readonly from: StoredColumn;
  /** What such rows have. */
  readonly what: string;
  /** The SELECT of their ids and values. */
  readonly rows: (table: RowTable) => string;
}

function trialsOf(columns: readonly TableColumn[]): Trial[] {
  const leaves = leavesOf(columns);
  return leaves.flatMap((leaf) => {
    const { column, oldName, isPresence, oldDepth: depth } = leaf;
    const { from, replaced } = column;
    if (replaced !== undefined) return replacedTrial(leaf, replaced);
    if (from === undefined || oldName === undefined) return [];
    const name = quoteIdentifier(oldName);
    const trials: Trial[] = [];
    const wasRepeated = from.mode === 'REPEATED';
    if (wasRepeated && column.mode !== 'REPEATED') {
      const select = ({ schema, sql, key }: RowTable) => {
        const value = schema === 'lists' && depth > 0 ? `unnest(${name}, max_depth := ${depth})` : name;
        const lists = `SELECT rowid AS place, ${idOf(key)} AS id, ${value} AS v FROM ${sql}`;
        // A flat row has one element at most.
        return schema === 'flat' && isPresence
          ? `${lists} WHERE false`
          : `SELECT * FROM (${lists}) WHERE len(v) > 1`;
      };
      trials.push({ leaf, from, what: 'several values in it', rows: asTexts(select) });
    }
    if (!isPresence && isTried(from.kind, column.kind)) {
      const select = (table: RowTable) =>
        `SELECT * FROM (${valuesOf(table, name, depth, wasRepeated)}) WHERE ${isLost(from.kind, column.kind, 'v')}`;
      trials.push({ leaf, from, what: `a value that can't be ${column.kind}`, rows: asTexts(select) });
    }
    return trials;
  });
}

/** A record that becomes a scalar, or the reverse, or a type without a conversion: no row may have a value. */
function replacedTrial(leaf: Leaf, replaced: StoredColumn): Trial[] {
  const { replacedName, oldDepth: depth } = leaf;
  if (replacedName === undefined) return [];
  const name = quoteIdentifier(replacedName);
  const isRecord = replaced.kind === 'STRUCT';
  const isList = replaced.mode === 'REPEATED';
  const select = (table: RowTable) => {
    const values = valuesOf(table, name, depth, isList && (!isRecord || table.schema === 'lists'));
    const isThere = `v IS NOT NULL${isRecord && table.schema === 'flat' ? ' AND v' : ''}`;
    return `SELECT place, id, ${isRecord ? "'a record'" : 'v'} AS v FROM (${values}) WHERE ${isThere}`;
  };
  return [{ leaf, from: replaced, what: 'a value of the former type', rows: asTexts(select) }];
}

/** The values of a leaf with the ids of their rows. */
function valuesOf({ schema, sql, key }: RowTable, name: string, depth: number, isList: boolean): string {
  const isNested = isList || (schema === 'lists' && depth > 0);
  const value = isNested ? `unnest(${name}, recursive := true)` : name;
  return `SELECT rowid AS place, ${idOf(key)} AS id, ${value} AS v FROM ${sql}`;
}

function asTexts(select: (table: RowTable) => string): (table: RowTable) => string {
  return (table) =>
    `SELECT '${table.schema}' || place AS place, CAST(id AS VARCHAR) AS id, CAST(v AS VARCHAR) AS v FROM (${select(table)})`;
}

/** The id of a row; its place if rows have none. */
function idOf({ id }: RowTable['key']): string {
  return id ?? 'rowid';
}

async function rowsOf(
  connection: DuckDBConnection,
  select: string,
): Promise<{ readonly count: number; readonly examples: readonly string[] }> {
  const counted = await connection.runAndReadAll(`SELECT count(DISTINCT place) FROM (${select})`);
  const count = Number(counted.value(0, 0));
  if (count === 0) return { count, examples: [] };
  const found = await connection.runAndReadAll(
    `SELECT id, v FROM (${select}) ORDER BY id LIMIT ${maxExamples}`,
  );
  return { count, examples: found.getRows().map(([id, value]) => `${id}: ${short(String(value))}`) };
}

function short(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function pathOf({ column, around }: Leaf): string {
  return around === undefined ? column.name : `${pathOf(around)}.${column.name}`;
}

/** The outermost column that the file didn't have before. */
function hiddenOf({ column, around }: Leaf): StoredColumn | undefined {
  const outer = around && hiddenOf(around);
  if (outer !== undefined) return outer;
  const stored = column.from ?? column.replaced;
  return stored?.isHidden && !column.isHidden ? stored : undefined;
}
