import type { SourceColumn } from '../../../../definitions/sources/source.ts';
import { elementType } from '../../../../sql/values/type.ts';
import { canConvert } from './convert-values.ts';
import { plainColumns, type StoredColumn } from './stored-schema.ts';

/** A column of a table as it is to be, and where its values come from. */
export interface TableColumn extends StoredColumn {
  readonly fields: readonly TableColumn[];
  /** The stored column whose values it has. Undefined for a new one, which has none. */
  readonly from: StoredColumn | undefined;
  /** The stored column of its name whose values can't be its own. It goes if it has none. */
  readonly replaced?: StoredColumn;
}

/** Columns that are no ordinary ones. */
export interface FollowOptions {
  /** Hidden columns whose values can't be those of a wanted column of their name. They stay hidden, with another name. */
  readonly parked?: ReadonlySet<StoredColumn>;
  /** Columns that go with their values. */
  readonly dropped?: ReadonlySet<StoredColumn>;
}

const none: ReadonlySet<StoredColumn> = new Set();

/**
 * The columns that a table made from `stored` has when its source has the columns `wanted`. At each level, those of the source
 * come first, in its order. Those that it no longer has follow, hidden, with their values.
 */
export function followSchema(
  stored: readonly StoredColumn[],
  wanted: readonly SourceColumn[],
  { parked = none, dropped = none }: FollowOptions = {},
): TableColumn[] {
  const kept = stored.filter((column) => !dropped.has(column));
  const from = matches(kept, wanted, parked);
  const used = new Set(from.values());
  const visible = wanted.map((column) => wantedColumn(column, from.get(column), { parked, dropped }));
  const names = new Set(visible.map(({ name }) => name.toLowerCase()));
  const hidden = kept
    .filter((column) => !used.has(column))
    .map((column) => hiddenColumn(column, freeName(column.name, names), dropped));
  return [...visible, ...hidden];
}

/** The stored column of each wanted one, by its name, or by what it was called or is called in another release. */
function matches(
  stored: readonly StoredColumn[],
  wanted: readonly SourceColumn[],
  parked: ReadonlySet<StoredColumn>,
): ReadonlyMap<SourceColumn, StoredColumn> {
  const from = new Map<SourceColumn, StoredColumn>();
  const used = new Set<StoredColumn>();
  const isWanted = (name: string) => findColumn(wanted, name) !== undefined;
  const visible = stored.filter(({ isHidden }) => !isHidden);
  const hidden = stored.filter((column) => column.isHidden && !parked.has(column));
  const hadName = (column: StoredColumn, name: string) =>
    [column.name, ...(column.formerNames ?? [])].some((each) => each.toLowerCase() === name.toLowerCase());
  const ways: ((column: SourceColumn) => StoredColumn | undefined)[] = [
    ({ name }) => findColumn(visible, name),
    ({ was }) => (was === undefined || isWanted(was) ? undefined : findColumn(visible, was)),
    ({ name }) => visible.find((column) => !isWanted(column.name) && hadName(column, name)),
    // Of several hidden ones that had the name, the one with its type comes first.
    (column) => hidden.find((old) => isSameType(old, column) && hadName(old, column.name)),
    ({ name }) => findColumn(hidden, name),
    ({ was }) => (was === undefined || isWanted(was) ? undefined : findColumn(hidden, was)),
    ({ name }) => hidden.find((old) => hadName(old, name)),
  ];
  for (const way of ways) {
    for (const column of wanted) {
      if (from.has(column)) continue;
      const old = way(column);
      if (old === undefined || used.has(old)) continue;
      from.set(column, old);
      used.add(old);
    }
  }
  return from;
}

function wantedColumn(
  column: SourceColumn,
  old: StoredColumn | undefined,
  options: FollowOptions,
): TableColumn {
  const { name, mode } = column;
  const { kind } = elementType(column.type);
  const isKept = old !== undefined && canBecome(old.kind, kind);
  const fields = followSchema(isKept ? old.fields : [], column.fields, options);
  const formerNames = namesBefore(old, name);
  return {
    ...{ name, kind, mode, fields, from: isKept ? old : undefined },
    ...(old !== undefined && !isKept && { replaced: old }),
    ...(formerNames.length > 0 && { formerNames }),
  };
}

/** A column that stays without being seen. What it was called besides its new name is known. */
function hiddenColumn(column: StoredColumn, name: string, dropped: ReadonlySet<StoredColumn>): TableColumn {
  const formerNames = namesBefore(column, name);
  return {
    ...unchanged(column, dropped),
    name,
    isHidden: true,
    ...(formerNames.length > 0 && { formerNames }),
  };
}

function unchanged(column: StoredColumn, dropped: ReadonlySet<StoredColumn>): TableColumn {
  const fields = column.fields.filter((field) => !dropped.has(field));
  return { ...column, fields: fields.map((field) => unchanged(field, dropped)), from: column };
}

function namesBefore(old: StoredColumn | undefined, name: string): string[] {
  const names = [...(old?.formerNames ?? []), ...(old === undefined ? [] : [old.name])];
  const unique = new Map(names.map((each) => [each.toLowerCase(), each]));
  unique.delete(name.toLowerCase());
  return [...unique.values()];
}

/** A name that no other column of its level has. No column of a file has parentheses. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${name} (${i})`;
  taken.add(free.toLowerCase());
  return free;
}

function canBecome(from: string, to: string): boolean {
  if (from === 'STRUCT' || to === 'STRUCT') return from === to;
  return canConvert(from, to);
}

function isSameType(old: StoredColumn, { type, mode }: SourceColumn): boolean {
  return old.kind === elementType(type).kind && (old.mode === 'REPEATED') === (mode === 'REPEATED');
}

/** Whether rows in the form of `stored` are complete rows of `columns`: these only add columns, or ask for less. */
export function onlyGrows(columns: readonly TableColumn[]): boolean {
  return columns.every(
    (column) =>
      column.replaced === undefined &&
      !column.isHidden &&
      (column.from === undefined ||
        (column.from.name.toLowerCase() === column.name.toLowerCase() &&
          column.from.kind === column.kind &&
          (column.mode === column.from.mode ||
            (column.mode === 'NULLABLE' && column.from.mode === 'REQUIRED')) &&
          onlyGrows(column.fields))),
  );
}

/** Whether values of some columns become those of another type or mode. */
export function hasConversions(columns: readonly TableColumn[]): boolean {
  return columns.some(
    ({ from, kind, fields }) => (from !== undefined && from.kind !== kind) || hasConversions(fields),
  );
}

/** Whether two lists of columns are the same for a table and its source. */
export function areEqual(a: readonly StoredColumn[], b: readonly StoredColumn[]): boolean {
  return JSON.stringify(plainColumns(a)) === JSON.stringify(plainColumns(b));
}

/** The column of that name in any letter case, as names are in GoogleSQL and in DuckDB. */
export function findColumn<C extends { readonly name: string }>(
  columns: readonly C[],
  name: string,
): C | undefined {
  const folded = name.toLowerCase();
  return columns.find((column) => column.name.toLowerCase() === folded);
}

/** A type with its mode, in words. */
export function typeText({ kind, mode }: StoredColumn): string {
  const type = kind === 'STRUCT' ? 'RECORD' : kind;
  return mode === 'REPEATED' ? `REPEATED ${type}` : type;
}
