import type { ScalarTypeName, SqlType } from '../values/type.ts';

const kinds: Readonly<Record<ScalarTypeName, string>> = {
  BOOL: 'TYPE_BOOL',
  INT64: 'TYPE_INT64',
  FLOAT64: 'TYPE_DOUBLE',
  NUMERIC: 'TYPE_NUMERIC',
  BIGNUMERIC: 'TYPE_BIGNUMERIC',
  STRING: 'TYPE_STRING',
  BYTES: 'TYPE_BYTES',
  DATE: 'TYPE_DATE',
  DATETIME: 'TYPE_DATETIME',
  TIME: 'TYPE_TIME',
  TIMESTAMP: 'TYPE_TIMESTAMP',
  INTERVAL: 'TYPE_INTERVAL',
  JSON: 'TYPE_JSON',
  GEOGRAPHY: 'TYPE_GEOGRAPHY',
};

/** A type in the analyzer's wire form (`TypeProto`). */
export function typeToProto(type: SqlType): object {
  switch (type.kind) {
    case 'ARRAY':
      return { type_kind: 'TYPE_ARRAY', array_type: { element_type: typeToProto(type.element) } };
    case 'STRUCT':
      return {
        type_kind: 'TYPE_STRUCT',
        struct_type: {
          field: type.fields.map((field) => ({
            field_name: field.name,
            field_type: typeToProto(field.type),
          })),
        },
      };
    default:
      return { type_kind: kinds[type.kind] };
  }
}
