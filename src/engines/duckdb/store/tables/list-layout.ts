import type { UsedFields } from '../../../../sql/plan/used-fields.ts';
import type { Column, SqlType } from '../../../../sql/values/type.ts';
import { duckType, quoteIdentifier } from '../../dialect/duck-type.ts';
import { fieldName, fieldPath, packedRecord, presenceName, recordType } from './flat-layout.ts';

/**
 * How rows with several elements in a repeated record are stored: with the columns of the flat form, each a list for every
 * repeated record that contains it. A record `metadata` with repeated `request` has these columns:
 *
 * | column | holds |
 * |---|---|
 * | `metadata.` | a list with true for each element, false for one that is NULL; NULL for a NULL array |
 * | `metadata.request.` | for each element of `metadata`, such a list |
 * | `metadata.request.path` | for each element of `metadata`, a list with the `path` of each request |
 *
 * So each leaf can be read by itself here too. DuckDB reads a list of records as a whole.
 */
interface ListColumn {
  readonly name: string;
  /** DuckDB's type. */
  readonly type: string;
  /** The value, as SQL over the columns of a row as its schema has them. */
  readonly value: string;
}

/** The table that holds a source's rows in list form. */
export function listTableSql(source: string): string {
  return `lists.${quoteIdentifier(source)}`;
}

/** The columns of the list form, in the order of the schema. */
export function listColumns(columns: readonly Column[]): ListColumn[] {
  return columns.flatMap(({ name, type }) =>
    columnsOf({ path: name, depth: 0, value: quoteIdentifier(name), within: (value) => value }, type),
  );
}

/** The position of a value. */
interface Place {
  readonly path: string;
  /** How many repeated records contain it. */
  readonly depth: number;
  /** The value, as SQL over the element of the innermost of them. */
  readonly value: string;
  /** SQL that makes the column from the values of such elements. */
  readonly within: (value: string) => string;
}

function columnsOf({ path, depth, value, within }: Place, type: SqlType): ListColumn[] {
  const record = recordType(type);
  if (record === undefined)
    return [{ name: path, type: listOf(duckType(type), depth), value: within(value) }];
  const isRepeated = type.kind === 'ARRAY';
  const element = `e${depth}`;
  const inElements = (inner: string) => within(`list_transform(${value}, lambda ${element}: ${inner})`);
  const presence = isRepeated
    ? inElements(`${element} IS NOT NULL`)
    : within(`CASE WHEN ${value} IS NOT NULL THEN true END`);
  const inside = isRepeated
    ? { depth: depth + 1, within: inElements, record: element }
    : { depth, within, record: value };
  return [
    { name: presenceName(path), type: listOf('BOOLEAN', inside.depth), value: presence },
    ...record.fields.flatMap((field, i) => {
      const name = fieldName(record, i).replaceAll("'", "''");
      const place = { ...inside, path: fieldPath(path, record, i) };
      return columnsOf({ ...place, value: `struct_extract(${inside.record}, '${name}')` }, field.type);
    }),
  ];
}

function listOf(type: string, depth: number): string {
  return `${type}${'[]'.repeat(depth)}`;
}

/**
 * A value as its schema has it, built from the columns of the list form.
 *
 * @param column the SQL of a column, by its name
 * @param used the fields of the value that are used; the others are NULL
 */
export function valueOfLists(
  path: string,
  type: SqlType,
  column: (name: string) => string,
  used: UsedFields = 'all',
): string {
  return valueAt(path, type, column, used, []);
}

/** @param indexes SQL of the elements' indexes in the repeated records around the value */
function valueAt(
  path: string,
  type: SqlType,
  column: (name: string) => string,
  used: UsedFields,
  indexes: readonly string[],
): string {
  const at = (name: string) => column(name) + indexes.map((index) => `[${index}]`).join('');
  const record = recordType(type);
  if (record === undefined) return at(path);
  const isRepeated = type.kind === 'ARRAY';
  const [isPresent, index] = [`p${indexes.length}`, `i${indexes.length}`];
  const inside = isRepeated ? [...indexes, index] : indexes;
  const element = packedRecord(path, record, used, (name, fieldType, uses) =>
    valueAt(name, fieldType, column, uses, inside),
  );
  const presence = at(presenceName(path));
  if (!isRepeated) return `CASE WHEN ${presence} THEN ${element} END`;
  return `list_transform(${presence}, lambda ${isPresent}, ${index}: CASE WHEN ${isPresent} THEN ${element} END)`;
}
