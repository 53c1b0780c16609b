import { isTime } from '../../sql/columns/time-of-rows.ts';
import type { ScalarTypeName } from '../../sql/values/type.ts';
import type { Source, SourceColumn } from './source.ts';

/** Types whose values can be compared, so that they can identify rows. */
const idTypes: ReadonlySet<string> = new Set([
  'INT64',
  'STRING',
  'BYTES',
  'DATE',
  'DATETIME',
  'TIME',
  'TIMESTAMP',
  'NUMERIC',
  'BIGNUMERIC',
  'FLOAT64',
  'BOOL',
] satisfies ScalarTypeName[]);

/** What determines the key of a source's rows. */
export type KeyedSource = Pick<Source, 'columns' | 'timestamp' | 'id'>;

/**
 * The column that orders rows: the one that the source's file names, or `timestamp`. Undefined for a reference table, whose rows
 * have no time.
 */
export function timeColumn(source: KeyedSource): SourceColumn | undefined {
  if (source.timestamp === null) return undefined;
  return [namedTime(source), columnNamed(source.columns, 'timestamp')].find(
    (column) => column !== undefined && isTime(column.type),
  );
}

/** The column that a source's file names as that of the time, whatever its type. */
function namedTime({ columns, timestamp }: KeyedSource): SourceColumn | undefined {
  const [only, ...others] = timestamp ?? [];
  return only === undefined || others.length > 0 ? undefined : columnNamed(columns, only);
}

/** The column that identifies a row: the one that the source's file names, or `id`. Undefined if rows have no ids. */
export function idColumn({ columns, id }: KeyedSource): SourceColumn | undefined {
  if (id === null) return undefined;
  const named = columnNamed(columns, id ?? 'id');
  return named !== undefined && isId(named) ? named : undefined;
}

/** The columns of which each identifies a row: the id, and those that the source's file declares so. */
export function uniqueColumns(source: KeyedSource & Pick<Source, 'unique'>): readonly string[] {
  const { columns, unique = [] } = source;
  const declared = unique.map((name) => columnNamed(columns, name));
  const all = [idColumn(source), ...declared].filter((column) => column !== undefined);
  return [...new Set(all.map(({ name }) => name))];
}

/** Why a column can't identify rows; undefined if it can. */
export function uniqueRefusal(name: string, columns: readonly SourceColumn[]): string | undefined {
  const column = columnNamed(columns, name);
  if (column === undefined) return `the source has no column ${name}`;
  return isId(column) ? undefined : `${typeText(column)}, by which rows can't be identified`;
}

/** Whether a source's rows have no time, so that they are no events. */
export function isReference(source: KeyedSource): boolean {
  return timeColumn(source) === undefined;
}

/** Whether a row with a known id replaces the row with this id. Of events, the first one stays. */
export function isMerged(source: KeyedSource): boolean {
  return isReference(source) && idColumn(source) !== undefined;
}

/** Whether both have the same key, apart from types. */
export function haveSameKey(a: KeyedSource, b: KeyedSource): boolean {
  const nameIn = (column: SourceColumn | undefined) => column?.name.toLowerCase();
  return nameIn(timeColumn(a)) === nameIn(timeColumn(b)) && nameIn(idColumn(a)) === nameIn(idColumn(b));
}

/** The setting that names a column of the key. */
export type KeySetting = 'timestamp' | 'id';

/** What is wrong with a column, and the setting that names it, if one does. */
type ReportKey = (
  part: KeySetting,
  setting: KeySetting | undefined,
  column: SourceColumn,
  text: string,
) => void;

/**
 * Checks the columns that order and identify rows.
 *
 * @param report called for a column of a type that can't
 */
export function checkKey(source: KeyedSource, report: ReportKey): void {
  const { columns, timestamp, id } = source;
  const [named, usual] = [namedTime(source), columnNamed(columns, 'timestamp')];
  if (
    timestamp !== null &&
    usual !== undefined &&
    !isTime(usual.type) &&
    (named === undefined || !isTime(named.type))
  )
    report(
      'timestamp',
      undefined,
      usual,
      `${typeText(usual)}, by which rows can't be ordered: ${remedyOf('timestamp')}`,
    );
  else if (usual === undefined && named !== undefined && !isTime(named.type))
    report(
      'timestamp',
      'timestamp',
      named,
      `${typeText(named)}, by which rows can't be ordered: it must be ${someTimes}`,
    );
  const identity = id === null ? undefined : columnNamed(columns, id ?? 'id');
  if (identity === undefined || isId(identity)) return;
  const text = `${typeText(identity)}, by which rows can't be identified`;
  report(
    'id',
    id === undefined ? undefined : 'id',
    identity,
    id === undefined ? `${text}: ${remedyOf('id')}` : text,
  );
}

const someTimes = 'a single TIMESTAMP, DATETIME or DATE';

/** What to do if a column can't have its place in the key. */
export function remedyOf(setting: KeySetting): string {
  return `name another column by "${setting}", or say "${setting}": null`;
}

function typeText({ name, mode, type }: SourceColumn): string {
  const kind = type.kind === 'ARRAY' ? type.element.kind : type.kind;
  return `${name} is ${mode === 'REPEATED' ? 'REPEATED' : `of type ${kind === 'STRUCT' ? 'RECORD' : kind}`}`;
}

function isId({ type }: SourceColumn): boolean {
  return idTypes.has(type.kind);
}

/** The column with a name in any letter case. Columns that rows have added have no part in keys. */
function columnNamed(columns: readonly SourceColumn[], name: string): SourceColumn | undefined {
  const folded = name.toLowerCase();
  return columns.find((column) => column.isAdded !== true && column.name.toLowerCase() === folded);
}
