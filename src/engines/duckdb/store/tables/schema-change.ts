import type { StoredColumn } from './stored-schema.ts';

/** The effect of a changed schema on a table with rows. */
interface SchemaChange {
  /** Whether the table differs from the schema's form. */
  readonly changesTable: boolean;
  /** Why the rows can't be brought into the schema's form: a sentence for each column at fault. */
  readonly refusals: readonly string[];
}

/**
 * Compares the schema that a table was made from with the present one. New columns and fields that may be absent, another
 * order, and REQUIRED relaxed to NULLABLE lose nothing. Everything else is refused.
 */
export function compareSchemas(
  stored: readonly StoredColumn[],
  wanted: readonly StoredColumn[],
): SchemaChange {
  const refusals: string[] = [];
  compareLevel(stored, wanted, '', refusals);
  return { changesTable: shape(stored) !== shape(wanted), refusals };
}

function compareLevel(
  stored: readonly StoredColumn[],
  wanted: readonly StoredColumn[],
  prefix: string,
  refusals: string[],
): void {
  for (const old of stored) {
    const path = prefix + old.name;
    const now = findColumn(wanted, old.name);
    if (now === undefined) refusals.push(`the column ${path} was removed`);
    else if (typeText(old) !== typeText(now)) {
      refusals.push(`the column ${path} was changed from ${typeText(old)} to ${typeText(now)}`);
    } else {
      if (old.mode === 'NULLABLE' && now.mode === 'REQUIRED') {
        refusals.push(`the column ${path} was NULLABLE and is REQUIRED now`);
      }
      compareLevel(old.fields, now.fields, `${path}.`, refusals);
    }
  }
  for (const now of wanted) {
    if (now.mode === 'REQUIRED' && findColumn(stored, now.name) === undefined) {
      refusals.push(`the new column ${prefix}${now.name} is REQUIRED, but stored rows have no value for it`);
    }
  }
}

/** The column of that name in any letter case, as names are in GoogleSQL and in DuckDB. */
export function findColumn<C extends { readonly name: string }>(
  columns: readonly C[],
  name: string,
): C | undefined {
  const folded = name.toLowerCase();
  return columns.find((column) => column.name.toLowerCase() === folded);
}

function typeText({ kind, mode }: StoredColumn): string {
  return mode === 'REPEATED' ? `REPEATED ${kind}` : kind;
}

/** Equal for schemas that have the same tables in DuckDB. */
function shape(columns: readonly StoredColumn[]): string {
  return columns
    .map(
      (column) => `${JSON.stringify(column.name.toLowerCase())} ${typeText(column)}(${shape(column.fields)})`,
    )
    .join();
}
