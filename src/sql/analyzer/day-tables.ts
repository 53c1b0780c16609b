import { lastColumnId, visitFields } from '../plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, isPresent } from '../resolved/node.ts';
import { daysInMonth } from '../values/civil-text.ts';
import type { Catalog, CatalogTable } from './catalog.ts';

/** Some of the days of a wildcard table: those that begin with digits, `logs.events_2026*`, or one, `logs.events_20260131`. */
interface DayTable extends CatalogTable {
  readonly whole: CatalogTable;
  /** Digits, with a star unless they are a day. */
  readonly days: string;
}

const suffix = '_TABLE_SUFFIX';

/**
 * The tables of some days that a text may name, for the wildcard tables of a catalog, `logs.events_*`. Text in comments and
 * literals counts, too.
 */
export function dayTables({ tables }: Catalog, sql: string): readonly DayTable[] {
  return tables.flatMap((whole) => {
    const [name = '', ...folder] = whole.path.toReversed();
    if (!name.endsWith('_*')) return [];
    const stem = name.slice(0, -1);
    const written = new RegExp(
      `(?<!\\w)${stem.replace(/[^\w]/g, '\\$&')}(\\d{1,8}\\*|\\d{8})(?![\\w*])`,
      'gi',
    );
    const found = new Set([...sql.matchAll(written)].map(([, days = '']) => days));
    const pseudoColumns = whole.pseudoColumns ?? [];
    return [...found].filter(isPossible).map((days): DayTable => {
      const path = [...folder.toReversed(), stem + days] as unknown as CatalogTable['path'];
      const hasSuffix = days.endsWith('*');
      const pseudo = hasSuffix ? pseudoColumns : pseudoColumns.filter((column) => column.name !== suffix);
      return { whole, days, path, columns: whole.columns, pseudoColumns: pseudo };
    });
  });
}

function isPossible(days: string): boolean {
  return days.endsWith('*') || dayFrom(days) === startOf(partsOf(days));
}

/** Seconds since the epoch. */
const secondsPerDay = 86_400;

function partsOf(digits: string): readonly [year: number, month: number, day: number] {
  return [Number(digits.slice(0, 4)), Number(digits.slice(4, 6)), Number(digits.slice(6, 8))];
}

function startOf([year, month, day]: readonly [number, number, number]): number {
  // Date.UTC takes years below 100 for those of the 20th century.
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
}

/** The start of the first day whose eight digits are not before others. */
function dayFrom(digits: string): number {
  const [year, month, day] = partsOf(digits);
  if (year < 1) return startOf([1, 1, 1]);
  if (month > 12) return startOf([year + 1, 1, 1]);
  if (month < 1) return startOf([year, 1, 1]);
  if (day > daysInMonth(year, month)) return startOf([year, month + 1, 1]);
  return startOf([year, month, Math.max(day, 1)]);
}

/** The span of time of days, in seconds since the epoch. The end is not in it. */
function spanOf(days: string): readonly [start: number, end: number] {
  const digits = days.replace('*', '');
  const [first, last] = [digits.padEnd(8, '0'), digits.padEnd(8, '9')];
  const end = dayFrom(last);
  return [dayFrom(first), end === startOf(partsOf(last)) ? end + secondsPerDay : end];
}

const firstUnknown = startOf([10_000, 1, 1]);

/**
 * Replaces scans of such tables, in place, by scans of the whole wildcard tables and a condition on the time. `written_name`
 * of the scan's table is what the text calls it: BigQuery has these tables.
 */
export function overWholeTables(statement: AnyNode, tables: readonly DayTable[]): void {
  if (tables.length === 0) return;
  const byName = new Map(tables.map((table) => [table.path.join('.').toLowerCase(), table]));
  let id = lastColumnId(statement);
  const newId = () => String(++id);
  visitFields(statement, new Set(['type', 'column_list']), (_, value) => {
    if (typeof value !== 'object' || value === null) return;
    const holders = Array.isArray(value) ? value : [value];
    for (const holder of holders as AnyNode[]) {
      if (holder?.node !== scanKind || !isPresent(holder[scanKind])) continue;
      const scan = asMessage(holder[scanKind], scanKind);
      const { name, full_name } = asMessage(scan.table, 'table');
      const table = byName.get(String(full_name || name).toLowerCase());
      if (table === undefined) continue;
      Reflect.deleteProperty(holder, scanKind);
      Object.assign(holder, overWhole(scan, table, newId));
    }
  });
}

const scanKind = 'resolved_table_scan_node';

const types = { string: { type_kind: 'TYPE_STRING' }, time: { type_kind: 'TYPE_TIMESTAMP' } };

function overWhole(scan: AnyNode, { whole, days, path }: DayTable, newId: () => string): AnyNode {
  const parent = asMessage(scan.parent, 'parent');
  const columns = asList(parent.column_list, 'column_list') as readonly AnyNode[];
  const indexes = asList(scan.column_index_list, 'column_index_list').map(Number);
  const name = whole.path.join('.');
  const read = (index: number, called: string, type: object) => {
    const known = columns[indexes.indexOf(index)];
    return known ?? { column_id: newId(), table_name: name, name: called, type };
  };
  const timeName = (whole.time ?? 'timestamp').toLowerCase();
  // Times of other types have no spans of their own: the names of the days are compared.
  const timeIndex = whole.columns.findIndex(
    (column) => column.name.toLowerCase() === timeName && column.type.kind === 'TIMESTAMP',
  );
  const suffixIndex =
    whole.columns.length + (whole.pseudoColumns ?? []).findIndex((column) => column.name === suffix);
  const isSuffix = (index: number) => index === suffixIndex && days.endsWith('*');
  const rest = columns[indexes.findIndex(isSuffix)];
  const all = { column_id: newId(), table_name: name, name: suffix, type: types.string };
  const scanned = indexes.map((index, i) => ({ index, column: isSuffix(index) ? all : columns[i] }));
  const time = timeIndex === -1 ? undefined : read(timeIndex, timeName, types.time);
  const needed =
    time === undefined ? { index: suffixIndex, column: all } : { index: timeIndex, column: time };
  if (!scanned.some(({ index }) => index === needed.index)) scanned.push(needed);
  const column_list = scanned.map(({ column }) => column);
  const table = { ...asMessage(scan.table, 'table'), name, full_name: name, written_name: path.join('.') };
  const rows = wrapped(scanKind, {
    ...scan,
    table,
    parent: { ...parent, column_list },
    column_index_list: scanned.map(({ index }) => String(index)),
  });
  const filtered = wrapped('resolved_filter_scan_node', {
    parent: { column_list },
    input_scan: rows,
    filter_expr: time === undefined ? beginsWith(all, days) : isWithin(time, days),
  });
  const place = { int64_value: String(days.length), value: 'int64_value' };
  const expr = call('substr', 'TYPE_STRING', [reference(all), literal({ type_kind: 'TYPE_INT64' }, place)]);
  return wrapped('resolved_project_scan_node', {
    parent: { column_list: columns },
    expr_list: rest === undefined ? [] : [{ column: rest, expr }],
    input_scan: filtered,
  });
}

function isWithin(time: AnyNode, days: string): AnyNode {
  const [start, end] = spanOf(days);
  const isLate = call('$greater_or_equal', 'TYPE_BOOL', [reference(time), instant(start)]);
  if (end >= firstUnknown) return isLate;
  return call('$and', 'TYPE_BOOL', [isLate, call('$less', 'TYPE_BOOL', [reference(time), instant(end)])]);
}

function beginsWith(all: AnyNode, days: string): AnyNode {
  const digits = literal(types.string, { string_value: days.replace('*', ''), value: 'string_value' });
  return call('starts_with', 'TYPE_BOOL', [reference(all), digits]);
}

function wrapped(kind: string, message: AnyNode): AnyNode {
  return { node: kind, [kind]: message };
}

function reference(column: AnyNode): AnyNode {
  return wrapped('resolved_column_ref_node', { parent: { type: column.type }, column, is_correlated: false });
}

function literal(type: AnyNode, value: AnyNode): AnyNode {
  return wrapped('resolved_literal_node', { parent: { type }, value: { type, value } });
}

function instant(seconds: number): AnyNode {
  const timestamp_value = { seconds: String(seconds), nanos: 0 };
  return literal(types.time, { timestamp_value, value: 'timestamp_value' });
}

function call(name: string, type_kind: string, argument_list: readonly AnyNode[]): AnyNode {
  const parent = { parent: { type: { type_kind } }, function: { name: `ZetaSQL:${name}` }, argument_list };
  return wrapped('resolved_function_call_node', { parent: { ...parent, error_mode: 'DEFAULT_ERROR_MODE' } });
}
