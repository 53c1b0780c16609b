import { DuckDBListType, DuckDBStructType } from '@duckdb/node-api';
import type { SourceColumn } from '../../../definitions/sources/source.ts';
import {
  fieldPath,
  flatColumns,
  presenceName,
  recordType,
} from '../../../engines/duckdb/store/tables/flat-layout.ts';
import { scalarType } from '../encode/record-members.ts';
import { allOf, type FileField, fewElements, fieldsOf, hasNothing } from './file-field.ts';
import { scalarSql } from './scalar-sql.ts';

/** How rows of a Parquet file become flat rows, as SQL. */
interface FlatSelect {
  /** The inputs of the values and the condition: the file's columns, and each record that is an element of a list. */
  readonly from: string;
  /** Which columns of `flatColumns` may have a value, by their indexes. */
  readonly columns: readonly number[];
  /** The value for each of them. */
  readonly values: readonly string[];
  /** The condition that the row is certainly valid and has these values. Never NULL. Other rows may be valid or not. */
  readonly fits: string;
  /** The condition that each list of records has at most one element, and none that is NULL. Never NULL. */
  readonly hasSingles: string;
}

/**
 * The SQL for a file with these columns.
 *
 * @param file the relation of the file's rows, as SQL
 */
export function flatSelect(
  file: string,
  columns: readonly SourceColumn[],
  fields: readonly FileField[],
): FlatSelect {
  const found = new Found(fields.map(({ name }) => name));
  found.record(columns, fields, { exists: 'true', depth: 0 }, ({ name }) => name);
  const flat = flatColumns(columns).flatMap(({ name, type }, index) => {
    const value = found.values.get(name);
    return value === undefined ? [] : [{ index, value: `CAST(${value} AS ${type})` }];
  });
  return {
    from: found.from(file),
    columns: flat.map(({ index }) => index),
    values: flat.map(({ value }) => value),
    fits: allOf([...found.conditions, ...found.singles]),
    hasSingles: allOf(found.singles),
  };
}

/** The record that contains the fields, or the row itself. */
interface Parent {
  /** The condition that it exists. Never NULL. */
  readonly exists: string;
  /** How many lists contain it. */
  readonly depth: number;
}

class Found {
  /** By the names of the flat form's columns; NULL where there is none. */
  readonly values = new Map<string, string>();
  readonly conditions: string[] = [];
  /** The conditions that a list of records has no second element. */
  readonly singles: string[] = [];
  /** The records that are elements of lists, by the number of lists that contain them: a SELECT list each. */
  readonly #elements: string[][] = [];
  readonly #prefix: string;
  #count = 0;

  /** @param names of the file's columns */
  constructor(names: readonly string[]) {
    let prefix = 'element';
    while (names.some((name) => name.toLowerCase().startsWith(prefix))) prefix += '_';
    this.#prefix = prefix;
  }

  /** Each record is a column of a subquery. Within expressions, DuckDB would compute it again for each. */
  from(file: string): string {
    return this.#elements.reduce((from, elements) => `(SELECT *, ${elements.join(', ')} FROM ${from})`, file);
  }

  #element(list: string, depth: number): string {
    const name = `${this.#prefix}${this.#count++}`;
    this.#elements[depth] ??= [];
    this.#elements[depth].push(`list_extract(${list}, 1) AS ${name}`);
    return name;
  }

  record(
    columns: readonly SourceColumn[],
    fields: readonly FileField[],
    parent: Parent,
    pathOf: (column: SourceColumn, index: number) => string,
  ): void {
    const { exists } = parent;
    const known = new Set<FileField>();
    for (const [index, column] of columns.entries()) {
      const named = fields.filter(({ name }) => name.toLowerCase() === column.name.toLowerCase());
      for (const field of named) known.add(field);
      if (named.length > 1) this.#never(exists);
      const [field] = named;
      if (column.mode === 'REQUIRED') {
        this.conditions.push(`(NOT ${exists} OR ${field?.value ?? 'NULL'} IS NOT NULL)`);
      }
      this.#column(column, field, parent, pathOf(column, index));
    }
    if (fields.some((field) => !known.has(field))) this.#never(exists);
  }

  #never(exists: string): void {
    this.conditions.push(`(NOT ${exists})`);
  }

  #column(column: SourceColumn, field: FileField | undefined, parent: Parent, path: string): void {
    const record = recordType(column.type);
    if (column.mode === 'REPEATED') {
      if (record === undefined) this.#list(column, field, parent.exists, path);
      else this.#listOfRecords(column, field, parent, path);
    } else if (field === undefined) {
      return;
    } else if (record === undefined) {
      this.#scalar(column, field, path);
    } else if (field.type instanceof DuckDBStructType) {
      const hasRecord = `(${field.value} IS NOT NULL)`;
      this.values.set(presenceName(path), `CASE WHEN ${hasRecord} THEN true END`);
      const fieldOf = (_: SourceColumn, i: number) => fieldPath(path, record, i);
      this.record(
        column.fields,
        fieldsOf(field.type, field.value),
        { ...parent, exists: hasRecord },
        fieldOf,
      );
    } else {
      this.conditions.push(`${field.value} IS NULL`);
    }
  }

  #scalar(column: SourceColumn, { type, value }: FileField, path: string): void {
    const sql = scalarSql(scalarType(column), type);
    if (sql === undefined) {
      this.conditions.push(`${value} IS NULL`);
      return;
    }
    this.values.set(path, sql.value(value));
    if (sql.fits !== undefined) this.conditions.push(`(${value} IS NULL OR ${sql.fits(value)})`);
  }

  #list(column: SourceColumn, field: FileField | undefined, exists: string, path: string): void {
    const elements = field?.type instanceof DuckDBListType ? field.type.valueType : undefined;
    const sql = elements === undefined ? undefined : scalarSql(scalarType(column), elements);
    // Other conversions would have to be done for each element.
    const list = field !== undefined && sql?.isCast ? field.value : undefined;
    this.values.set(
      path,
      `CASE WHEN ${exists} THEN ${list === undefined ? '[]' : `coalesce(${list}, [])`} END`,
    );
    if (list !== undefined) {
      const hasNoNull = `len(${list}) = list_aggregate(${list}, 'count')`;
      this.conditions.push(`(${list} IS NULL OR len(${list}) <= ${fewElements} AND ${hasNoNull})`);
    } else if (field !== undefined) {
      this.conditions.push(hasNothing(field));
    }
  }

  #listOfRecords(
    column: SourceColumn,
    field: FileField | undefined,
    { exists, depth }: Parent,
    path: string,
  ): void {
    const record = recordType(column.type);
    const elements = field?.type instanceof DuckDBListType ? field.type.valueType : undefined;
    if (field === undefined || record === undefined || !(elements instanceof DuckDBStructType)) {
      this.values.set(presenceName(path), `CASE WHEN ${exists} THEN false END`);
      if (field !== undefined) this.conditions.push(hasNothing(field));
      return;
    }
    const element = this.#element(field.value, depth);
    const hasRecord = `(${element} IS NOT NULL)`;
    const isOne = `len(${field.value}) = CAST(${hasRecord} AS BIGINT)`;
    this.singles.push(`(${field.value} IS NULL OR ${isOne})`);
    this.values.set(presenceName(path), `CASE WHEN ${exists} THEN ${hasRecord} END`);
    const fieldOf = (_: SourceColumn, i: number) => fieldPath(path, record, i);
    this.record(column.fields, fieldsOf(elements, element), { exists: hasRecord, depth: depth + 1 }, fieldOf);
  }
}
