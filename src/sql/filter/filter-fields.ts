import { type Column, elementType, type SqlType } from '../values/type.ts';

/** A column, or a field of a record, that filters can name. */
export interface FilterField {
  /** Its name in filters. */
  readonly name: string;
  readonly sqlName: string;
  readonly type: SqlType;
  /** The fields of a record, or of the records in an array. Empty for other types. */
  readonly fields: readonly FilterField[];
}

/** The words that combine conditions. A column with such a name can't be filtered by. */
const combiners = ['and', 'or', 'not'] as const;

const reserved: ReadonlySet<string> = new Set(combiners);

/** The names of columns in filters. A column without a name can't be filtered. */
export interface FieldNames {
  nameOf(index: number): string | undefined;
  /** The names of the fields of a record, or of the records in an array. */
  within(index: number): FieldNames;
}

/**
 * What filters over rows can name: all columns, and all fields of records, except those whose name in SQL is missing or not
 * theirs alone.
 *
 * @param names by default, their names in SQL
 */
export function filterFields(columns: readonly Column[], names?: FieldNames): readonly FilterField[] {
  const sharing = Map.groupBy(columns, ({ name }) => name.toLowerCase());
  return columns.flatMap(({ name: sqlName, type }, index) => {
    const name = names === undefined ? sqlName : names.nameOf(index);
    if (sqlName === '' || sharing.get(sqlName.toLowerCase())?.length !== 1) return [];
    if (name === undefined || reserved.has(name)) return [];
    return [{ name, sqlName, type, fields: filterFields(recordFields(type), names?.within(index)) }];
  });
}

function recordFields(type: SqlType): readonly Column[] {
  if (type.kind === 'ARRAY') return recordFields(elementType(type));
  return type.kind === 'STRUCT' ? type.fields : [];
}
