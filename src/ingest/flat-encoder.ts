import { flatKey } from '../engines/duckdb/store/flat-batch.ts';
import { fieldPath, flatColumns, presenceName, recordType } from '../engines/duckdb/store/flat-layout.ts';
import type { SourceColumn } from '../sources/source.ts';
import {
  arrayEncoder,
  arrayOf,
  encodeElement,
  type FieldForm,
  recordMembers,
  singleEncoder,
} from './record-members.ts';
import type { Encoder } from './scalar-encoder.ts';

/** Thrown for a row that has no flat form, because one of its records is there more than once. Its other values may not fit. */
export const notFlat = new Error('not flat');

/** The encoder of rows in their flat form, as the members of a JSON object (see `RowBatch`). Throws `notFlat`. */
export function flatEncoder(columns: readonly SourceColumn[]): Encoder {
  const keys = new Map(flatColumns(columns).map(({ name }, i) => [name, `,"${flatKey(i)}":`]));
  const keyOf = (path: string) => {
    const key = keys.get(path);
    if (key === undefined) throw new TypeError(`no column ${path}`);
    return key;
  };

  const formOf = (column: SourceColumn, path: string): FieldForm => {
    const record = recordType(column.type);
    if (record === undefined) return leafForm(column, keyOf(path));
    const presence = keyOf(presenceName(path));
    const members = recordMembers(column.fields, (field, i) => formOf(field, fieldPath(path, record, i)));
    const isThere = `${presence}true`;
    const isEmpty = `${presence}false`;
    if (column.mode !== 'REPEATED') return { write: (value) => isThere + members(value), absent: '' };
    return {
      write(value) {
        const elements = arrayOf(value);
        if (elements.length > 1) throw notFlat;
        return elements.length === 0 ? isEmpty : isThere + encodeElement(members, elements[0], 0);
      },
      absent: isEmpty,
    };
  };
  return recordMembers(columns, (column) => formOf(column, column.name));
}

function leafForm(column: SourceColumn, key: string): FieldForm {
  const single = singleEncoder(column);
  const isRepeated = column.mode === 'REPEATED';
  const encode = isRepeated ? arrayEncoder(single) : single;
  return { write: (value) => key + encode(value), absent: isRepeated ? `${key}[]` : '' };
}
