import type { SourceColumn } from '../../../definitions/sources/source.ts';
import type { Leniency } from './leniency.ts';
import { arrayEncoder, type FieldForm, listEncoder, recordMembers, scalarType } from './record-members.ts';
import { type Encoder, jsonScalarEncoder } from './scalar-encoder.ts';

/**
 * Returns the encoder of records with these fields in the schema's form: see `WholeRows`, and `recordMembers` for what
 * it refuses.
 */
export function recordEncoder(
  columns: readonly SourceColumn[],
  leniency?: Leniency,
  path: readonly string[] = [],
): Encoder {
  const formOf = (column: SourceColumn) => wholeForm(column, leniency, [...path, column.name]);
  const members = recordMembers(columns, formOf, leniency && { leniency, path });
  return (value) => `{${members(value).slice(1)}}`;
}

function wholeForm(column: SourceColumn, leniency: Leniency | undefined, path: readonly string[]): FieldForm {
  const key = `,${JSON.stringify(column.name.toLowerCase())}:`;
  const isRecord = column.fields.length > 0;
  const single = isRecord
    ? recordEncoder(column.fields, leniency, path)
    : jsonScalarEncoder(scalarType(column), column.isAdded);
  const isRepeated = column.mode === 'REPEATED';
  const repeated = isRecord
    ? listEncoder(single, leniency && ((index) => leniency.onElement(path, index)))
    : arrayEncoder(single);
  const encode = isRepeated ? repeated : single;
  return { write: (value) => key + encode(value), writeAbsent: isRepeated ? () => `${key}[]` : undefined };
}
