import { type Field, writtenField } from '../../../../sql/editing/field.ts';
import { rowAlias } from '../../../../sql/editing/lql-filter.ts';
import { writtenName } from '../../../../sql/editing/written-name.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { pathNames, pathText } from './exploration.ts';

/** A table with its columns, as the list of endpoints has it. */
export type DescribedTable = Endpoint['tables'][number];

type Kind = NonNullable<Field['type']>['kind'];
/** The type of a value: not of a list, and of no record. */
export type ValueType = Exclude<Kind, 'ARRAY' | 'STRUCT'>;

/** A field whose values are no records, wherever it is in a row, as SQL. */
export interface Reached {
  readonly path: string;
  readonly type: ValueType;
  /** The lists whose elements have it, outermost first. Empty if a row has it once. */
  readonly lists: readonly { readonly sql: string; readonly alias: string }[];
  /** A value: of the row, or of an element of the innermost list. */
  readonly sql: string;
}

/** A table to look at, with all of its fields. */
export interface ExploredTable extends DescribedTable {
  /** As a query reads it: its path in endpoints, and an alias for its rows. */
  readonly from: string;
  readonly alias: string;
  /** The time column as a TIMESTAMP, if the table has one. */
  readonly timeSql: string | undefined;
  /** All fields with values, in the order of the table, apart from the time. */
  readonly fields: readonly Reached[];
  /** The same with the alias in front: beside elements of lists, which may have fields of the same names. */
  readonly ofRow: Pick<ExploredTable, 'timeSql' | 'fields'>;
}

/** Deeper records have no fields to choose. */
const maxFields = 2_000;

/** Knows the fields of a table. */
export function exploredTable(table: DescribedTable): ExploredTable {
  const { name, path = name } = table;
  const alias = rowAlias(table);
  return {
    ...table,
    ...readBy(table, ''),
    ofRow: readBy(table, `${alias}.`),
    alias,
    from: `${path.split('.').map(writtenName).join('.')} AS ${alias}`,
  };
}

/** @param prefix of columns in SQL */
function readBy({ columns, time }: DescribedTable, prefix: string): ExploredTable['ofRow'] {
  const fields: Reached[] = [];
  const taken = new Set(columns.map((column) => column.name.toLowerCase()));
  for (const column of columns)
    collect(writtenField(column), [column.name], `${prefix}${writtenName(column.name)}`, []);
  const timed = columns.find((column) => column.name === time);
  const timeColumn = timed && `${prefix}${writtenName(timed.name)}`;
  return {
    timeSql: timeColumn && timed.type !== 'TIMESTAMP' ? `TIMESTAMP(${timeColumn})` : timeColumn,
    fields: fields.filter(({ path: own }) => own !== time),
  };

  function collect(field: Field, names: readonly string[], sql: string, lists: Reached['lists']): void {
    const type = field.type;
    if (type === undefined || fields.length >= maxFields) return;
    if (type.kind === 'ARRAY') {
      const alias = aliasOf(lists.length + 1, taken);
      collect({ ...field, type: type.element }, names, alias, [...lists, { sql, alias }]);
    } else if (type.kind === 'STRUCT') {
      for (const inner of field.fields) {
        collect(inner, [...names, inner.name], `${sql}.${writtenName(inner.name)}`, lists);
      }
    } else fields.push({ path: pathText(names), type: type.kind, lists, sql });
  }
}

function aliasOf(depth: number, taken: ReadonlySet<string>): string {
  let alias = `e${depth}`;
  while (taken.has(alias) || taken.has(`${alias}_place`)) alias += '_';
  return alias;
}

/** The field of a path; within a value of the type JSON, a member of it. Undefined if the table has none. */
export function reach({ fields }: Pick<ExploredTable, 'fields'>, path: string): Reached | undefined {
  const found = fields.find((field) => field.path === path);
  if (found !== undefined) return found;
  const json = fields.find((field) => field.type === 'JSON' && path.startsWith(`${field.path}.`));
  if (json === undefined) return undefined;
  const members = pathNames(path.slice(json.path.length + 1));
  // Others can't be written in a path of JSON.
  if (members.some((name) => name === '' || /["\\'\p{Cc}]/u.test(name))) return undefined;
  const steps = members.map((name) => `."${name}"`).join('');
  return { ...json, path, type: 'STRING', sql: `JSON_VALUE(${json.sql}, '$${steps}')` };
}

/** Whether fields of a type have values that can be compared and counted. */
export function isComparable(type: ValueType): boolean {
  return type !== 'JSON' && type !== 'GEOGRAPHY' && type !== 'INTERVAL';
}

const numeric: ReadonlySet<ValueType> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);

export function isNumber(type: ValueType): boolean {
  return numeric.has(type);
}

/** The last name of a path, by which people know a field. */
export function lastName(path: string): string {
  return pathNames(path).at(-1) ?? path;
}
