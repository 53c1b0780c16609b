import type { SourceColumn } from '../sources/source.ts';
import {
  arrayEncoder,
  arrayOf,
  type FieldForm,
  recordMembers,
  recordsOf,
  scalarType,
} from './record-members.ts';
import { type Encoder, jsonScalarEncoder } from './scalar-encoder.ts';

/**
 * Returns the encoder of records with these fields in the schema's form: see `WholeRows`, and `recordMembers` for what
 * it refuses.
 */
export function recordEncoder(columns: readonly SourceColumn[]): Encoder {
  const members = recordMembers(columns, wholeForm);
  return (value) => `{${members(value).slice(1)}}`;
}

function wholeForm(column: SourceColumn): FieldForm {
  const key = `,${JSON.stringify(column.name.toLowerCase())}:`;
  const isRecord = column.fields.length > 0;
  const single = isRecord ? recordEncoder(column.fields) : jsonScalarEncoder(scalarType(column));
  const isRepeated = column.mode === 'REPEATED';
  const encode = isRepeated ? arrayEncoder(single, isRecord ? recordsOf : arrayOf) : single;
  return { write: (value) => key + encode(value), writeAbsent: isRepeated ? () => `${key}[]` : undefined };
}
