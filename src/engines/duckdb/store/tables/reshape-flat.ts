import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { convertedValue, isPlainCast } from './convert-values.ts';
import type { Leaf } from './leaves.ts';

/** A leaf's value in the flat form, as SQL. */
interface LeafValue {
  /** Undefined for NULL. */
  readonly sql: string | undefined;
  /** Whether it has functions. DuckDB (seen in 1.5.5) can't replay its log after an ALTER with one. */
  readonly hasFunctions: boolean;
}

/** The SELECT list that reads a flat table in its new form. */
export function reshapeFlat(leaves: readonly Leaf[]): string {
  return leaves.map((leaf) => flatValue(leaf, oldColumn).sql ?? `CAST(NULL AS ${leaf.flatType})`).join(', ');
}

/**
 * The statements that bring a flat table into its new form, without reading or writing the columns that stay as they are.
 * Undefined if values must be computed by functions: then the table has to be written anew.
 *
 * DuckDB (seen in 1.5.5) can't commit ALTER and UPDATE of one table together, and fails on a list as a default. So values are
 * given by ALTER.
 *
 * @param table as SQL
 * @param gone the columns that the table no longer has
 */
export function alterFlat(
  table: string,
  leaves: readonly Leaf[],
  gone: readonly string[],
): string[] | undefined {
  const values = leaves.map((leaf) => flatValue(leaf, newColumn));
  if (values.some(({ hasFunctions }) => hasFunctions)) return undefined;
  return [
    ...dropped(table, gone),
    ...renamed(table, leaves),
    ...leaves.flatMap((leaf, i) => altered(table, leaf, leaf.flatType, values[i]?.sql)),
  ];
}

/** The same for the table of lists. */
export function alterLists(
  table: string,
  leaves: readonly Leaf[],
  gone: readonly string[],
): string[] | undefined {
  const changes: string[] = [];
  for (const leaf of leaves) {
    const { column, oldName } = leaf;
    const { from } = column;
    const isNew = oldName === undefined || from === undefined;
    // An empty list for each element of the records around it needs a function.
    if (isNew ? column.mode === 'REPEATED' && !isWithinNew(leaf) : isFilled(leaf)) return undefined;
    if (isNew) changes.push(...altered(table, leaf, leaf.listType, undefined));
    else {
      if ((from.mode === 'REPEATED') !== (column.mode === 'REPEATED')) return undefined;
      if (leaf.isPresence || from.kind === column.kind) continue;
      if (!isPlainCast(from.kind, column.kind)) return undefined;
      const cast = `CAST(${newColumn(leaf)} AS ${leaf.listType})`;
      changes.push(...altered(table, leaf, leaf.listType, cast));
    }
  }
  return [...dropped(table, gone), ...renamed(table, leaves), ...changes];
}

function dropped(table: string, gone: readonly string[]): string[] {
  return gone.map((name) => `ALTER TABLE ${table} DROP COLUMN ${quoteIdentifier(name)}`);
}

/** In two steps, because a column may get a name that another one still has. */
function renamed(table: string, leaves: readonly Leaf[]): string[] {
  const changed = leaves.filter(
    ({ name, oldName }) => oldName !== undefined && oldName.toLowerCase() !== name.toLowerCase(),
  );
  const rename = (from: string, to: string) =>
    `ALTER TABLE ${table} RENAME COLUMN ${quoteIdentifier(from)} TO ${quoteIdentifier(to)}`;
  return [
    ...changed.map(({ oldName = '' }, i) => rename(oldName, `.${i}`)),
    ...changed.map(({ name }, i) => rename(`.${i}`, name)),
  ];
}

function altered(table: string, leaf: Leaf, type: string, value: string | undefined): string[] {
  const column = quoteIdentifier(leaf.name);
  const isNew = leaf.oldName === undefined;
  const add = isNew ? [`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`] : [];
  const isSame = value === undefined || value === newColumn(leaf);
  // Values of equal types may stay, although their names differ: TIMESTAMP and DATETIME.
  if (isSame) return add;
  return [...add, `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE ${type} USING ${value}`];
}

type ColumnOf = (leaf: Leaf) => string;

const newColumn: ColumnOf = ({ name }) => quoteIdentifier(name);
const oldColumn: ColumnOf = ({ name, oldName }) => quoteIdentifier(oldName ?? name);

/** Whether its record is new as well, so that no row has a value. */
function isWithinNew({ around }: Leaf): boolean {
  return around !== undefined && around.oldName === undefined;
}

/** Whether rows that came while it was hidden have NULL where an empty list belongs. */
function isFilled({ column }: Leaf): boolean {
  return column.mode === 'REPEATED' && column.from?.isHidden === true && !column.isHidden;
}

function flatValue(leaf: Leaf, columnOf: ColumnOf): LeafValue {
  const plain = (sql: string | undefined): LeafValue => ({ sql, hasFunctions: false });
  const { column, isPresence, oldName } = leaf;
  const { from } = column;
  const around = aroundOf(leaf, columnOf);
  const isRepeated = column.mode === 'REPEATED';
  if (oldName === undefined || from === undefined) {
    if (!isRepeated || isWithinNew(leaf)) return plain(undefined);
    return plain(`CASE WHEN ${around} THEN ${emptyOf(leaf)} END`);
  }
  const value = columnOf(leaf);
  if (leaf.isConverted) return plain(value);
  const wasRepeated = from.mode === 'REPEATED';
  if (isPresence) {
    if (wasRepeated === isRepeated) return plain(filled(leaf, value, value, around));
    if (!isRepeated) return plain(`CASE WHEN ${value} THEN true END`);
    return plain(`CASE WHEN ${value} THEN true WHEN ${around} THEN false END`);
  }
  return scalarValue(leaf, value, around);
}

function scalarValue(leaf: Leaf, value: string, around: string): LeafValue {
  const { column } = leaf;
  const { from = column } = column;
  const isRepeated = column.mode === 'REPEATED';
  const wasRepeated = from.mode === 'REPEATED';
  const isPlain = isPlainCast(from.kind, column.kind);
  if (isRepeated && wasRepeated) {
    const element = convertedValue(from.kind, column.kind, 'e');
    const list = `list_transform(${value}, lambda e: ${element})`;
    const converted =
      from.kind === column.kind ? value : isPlain ? `CAST(${value} AS ${leaf.flatType})` : list;
    return { sql: filled(leaf, value, converted, around), hasFunctions: converted === list };
  }
  if (isRepeated) {
    const element = convertedValue(from.kind, column.kind, value);
    const sql = `CASE WHEN ${value} IS NOT NULL THEN [${element}] WHEN ${around} THEN ${emptyOf(leaf)} END`;
    return { sql, hasFunctions: true };
  }
  if (wasRepeated)
    return { sql: convertedValue(from.kind, column.kind, `list_extract(${value}, 1)`), hasFunctions: true };
  return { sql: convertedValue(from.kind, column.kind, value), hasFunctions: !isPlain };
}

/** The value with an empty list where rows came while the column was hidden. */
function filled(leaf: Leaf, old: string, value: string, around: string): string {
  if (!isFilled(leaf)) return value;
  return `CASE WHEN ${old} IS NULL AND ${around} THEN ${emptyOf(leaf)} ELSE ${value} END`;
}

function emptyOf({ isPresence, flatType }: Leaf): string {
  return isPresence ? 'false' : `CAST('[]' AS ${flatType})`;
}

/** The condition that the record around a leaf exists. */
function aroundOf({ around }: Leaf, columnOf: ColumnOf): string {
  if (around === undefined) return 'true';
  return around.oldName === undefined ? 'false' : columnOf(around);
}
