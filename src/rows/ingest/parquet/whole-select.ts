import { DuckDBListType, DuckDBStructType } from '@duckdb/node-api';
import type { SourceColumn } from '../../../definitions/sources/source.ts';
import { duckType, physicalFieldNames, quoteIdentifier } from '../../../engines/duckdb/dialect/duck-type.ts';
import { structOf } from '../../../engines/duckdb/store/tables/leaves.ts';
import { scalarType } from '../encode/record-members.ts';
import { allOf, type FileField, fewElements, fieldsOf, hasNothing } from './file-field.ts';
import { scalarSql } from './scalar-sql.ts';

/** How rows of a Parquet file become rows as their source's schema has them, as SQL over the file's columns. */
interface WholeSelect {
  /** The SELECT list of the source's columns. */
  readonly values: string;
  /** The condition that the row is certainly valid and has these values. Never NULL. Other rows may be valid or not. */
  readonly fits: string;
}

/** The SQL for a file with these fields, whose rows may have several elements in a list. */
export function wholeSelect(columns: readonly SourceColumn[], fields: readonly FileField[]): WholeSelect {
  const { members, fits } = recordOf(columns, fields, maxElements(columns));
  const values = columns.map(({ name }, i) => `${members[i]} AS ${quoteIdentifier(name)}`);
  return { values: values.join(', '), fits };
}

/** Maximum number of values in a row with few elements in each list. Rows with more are validated one by one. */
const maxValues = 100_000;

/** How many elements each list may have, so that a row with nested lists certainly has few values. */
function maxElements(columns: readonly SourceColumn[]): number {
  let elements = fewElements;
  while (elements > 1 && valuesOf(columns, elements) > maxValues) elements -= 1;
  return elements;
}

function valuesOf(columns: readonly SourceColumn[], elements: number): number {
  return columns.reduce((sum, { mode, fields }) => {
    const single = 1 + valuesOf(fields, elements);
    return sum + (mode === 'REPEATED' ? elements * single : single);
  }, 0);
}

/** The conversion of a value. */
interface Form {
  readonly value: string;
  /** The condition that it is valid. */
  readonly fits: string;
}

/** The position of a value. */
interface Around {
  /** How many elements each list may have. */
  readonly elements: number;
  /** How many lists contain it. */
  readonly depth: number;
}

function recordOf(
  columns: readonly SourceColumn[],
  fields: readonly FileField[],
  elements: number,
  depth = 0,
): { readonly members: string[]; readonly fits: string } {
  const known = new Set<FileField>();
  const forms = columns.map((column) => {
    const [field, ...others] = fields.filter(({ name }) => name.toLowerCase() === column.name.toLowerCase());
    if (field !== undefined) known.add(field);
    return others.length > 0 ? undefined : columnOf(column, field, { elements, depth });
  });
  const isKnown = fields.every((field) => known.has(field));
  return {
    members: forms.map((form) => form?.value ?? 'NULL'),
    fits: isKnown ? allOf(forms.map((form) => form?.fits ?? 'false')) : 'false',
  };
}

function columnOf(column: SourceColumn, field: FileField | undefined, around: Around): Form {
  const type = duckType(column.type);
  if (column.mode === 'REPEATED') return repeated(column, field, around);
  if (field === undefined)
    return { value: `CAST(NULL AS ${type})`, fits: String(column.mode !== 'REQUIRED') };
  const { value, fits } = single(column, field, around);
  const none = column.mode === 'REQUIRED' ? `${field.value} IS NOT NULL AND` : `${field.value} IS NULL OR`;
  return { value, fits: `(${none} ${fits})` };
}

/** @returns a condition that is only correct for values other than NULL */
function single(column: SourceColumn, { type, value }: FileField, { elements, depth }: Around): Form {
  const none = { value: `CAST(NULL AS ${singleType(column)})`, fits: 'false' };
  if (column.fields.length === 0) {
    const sql = scalarSql(scalarType(column), type);
    if (sql === undefined) return none;
    return { value: `CAST(${sql.value(value)} AS ${singleType(column)})`, fits: sql.fits?.(value) ?? 'true' };
  }
  if (!(type instanceof DuckDBStructType)) return none;
  const { members, fits } = recordOf(column.fields, fieldsOf(type, value), elements, depth);
  const names = physicalFieldNames(structOf(column.fields));
  const packed = members.map((member, i) => `${names[i]} := ${member}`).join(', ');
  return { value: `CASE WHEN ${value} IS NOT NULL THEN struct_pack(${packed}) END`, fits };
}

function singleType({ type }: SourceColumn): string {
  return duckType(type.kind === 'ARRAY' ? type.element : type);
}

function repeated(column: SourceColumn, field: FileField | undefined, { elements, depth }: Around): Form {
  const none = `CAST([] AS ${duckType(column.type)})`;
  if (field === undefined) return { value: none, fits: 'true' };
  if (!(field.type instanceof DuckDBListType)) return { value: none, fits: hasNothing(field) };
  const name = `e${depth}`;
  const element = { name, type: field.type.valueType, value: name };
  const { value, fits } = single(column, element, { elements, depth: depth + 1 });
  const each = (sql: string) => `list_transform(${field.value}, lambda ${name}: ${sql})`;
  const allFit = `coalesce(list_bool_and(${each(allOf([`${name} IS NOT NULL`, fits]))}), true)`;
  return {
    value: `coalesce(${each(value)}, ${none})`,
    fits: `(${field.value} IS NULL OR len(${field.value}) <= ${elements} AND ${allFit})`,
  };
}
