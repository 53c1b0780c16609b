import type { SqlType } from '../../sql/values/type.ts';
import { isReservedColumn } from './pseudo-columns.ts';
import type { SourceColumn } from './source.ts';
import type { TableField } from './table-field.ts';
import {
  columnType,
  isColumnName,
  isRecordTypeName,
  maxRecordDepth,
  recordType,
  scalarTypeName,
} from './table-field.ts';

/** A path of keys and indexes in the JSON of a schema. */
export type SchemaPath = readonly (string | number)[];

/** Checks the fields of a schema, and makes them the columns of a source. */
export class SchemaCheck {
  readonly #report: (path: SchemaPath, message: string) => void;

  constructor(report: (path: SchemaPath, message: string) => void) {
    this.#report = report;
  }

  columns(fields: readonly TableField[], path: SchemaPath, depth: number): SourceColumn[] {
    const names = new Set<string>();
    return fields.map((field, index) => {
      const at = [...path, index];
      const folded = field.name.toLowerCase();
      if (!isColumnName(field.name)) {
        this.#report([...at, 'name'], `${JSON.stringify(field.name)} is not a valid column name`);
      } else if (depth === 0 && isReservedColumn(field.name)) {
        this.#report([...at, 'name'], `BigQuery reserves names such as ${field.name}`);
      } else if (names.has(folded)) {
        this.#report([...at, 'name'], `the column ${field.name} occurs twice (letter case is ignored)`);
      }
      names.add(folded);
      const { was } = field;
      if (was !== undefined && fields.some(({ name }) => name.toLowerCase() === was.toLowerCase())) {
        const reason = `the source has a field ${was}: ${field.name} can't be the same one. Remove "was" when the stored rows have the new name`;
        this.#report([...at, 'was'], reason);
      }
      return this.#column(field, at, depth);
    });
  }

  #column(field: TableField, path: SchemaPath, depth: number): SourceColumn {
    const { name, mode, description, isAdded, was } = field;
    const isRecord = isRecordTypeName(field.type);
    if (!isRecord && field.fields !== undefined && field.fields.length > 0) {
      this.#report([...path, 'fields'], `${name} is of type ${field.type}, only a RECORD has fields`);
    }
    const fields = isRecord ? this.#recordFields(field, path, depth) : [];
    const element = isRecord ? recordType(fields) : this.#scalarType(field, path);
    const type = columnType(element, mode);
    const column = {
      name,
      type,
      mode,
      fields,
      ...(isAdded && { isAdded }),
      ...(was !== undefined && { was }),
    };
    return description === undefined ? column : { ...column, description };
  }

  #recordFields(field: TableField, path: SchemaPath, depth: number): SourceColumn[] {
    if (depth >= maxRecordDepth) {
      this.#report(path, `${field.name}: records are nested more than ${maxRecordDepth} levels deep`);
      return [];
    }
    if (field.fields === undefined || field.fields.length === 0) {
      this.#report(path, `${field.name} is a RECORD without fields`);
      return [];
    }
    return this.columns(field.fields, [...path, 'fields'], depth + 1);
  }

  #scalarType(field: TableField, path: SchemaPath): SqlType {
    const kind = scalarTypeName(field.type);
    if (kind !== undefined) return { kind };
    this.#report(
      [...path, 'type'],
      `${field.name}: ${JSON.stringify(field.type)} is not a type that a source can have`,
    );
    return { kind: 'STRING' };
  }
}
