import { memoized } from '../../base/async/memoized.ts';
import type { ScalarTypeName, SqlType } from '../values/type.ts';
import { type AnyNode, asList, asMessage } from './node.ts';
import { unsupported } from './unsupported.ts';

const scalarKinds: ReadonlyMap<unknown, ScalarTypeName> = new Map([
  ['TYPE_BOOL', 'BOOL'],
  ['TYPE_INT64', 'INT64'],
  ['TYPE_DOUBLE', 'FLOAT64'],
  ['TYPE_NUMERIC', 'NUMERIC'],
  ['TYPE_BIGNUMERIC', 'BIGNUMERIC'],
  ['TYPE_STRING', 'STRING'],
  ['TYPE_BYTES', 'BYTES'],
  ['TYPE_DATE', 'DATE'],
  ['TYPE_DATETIME', 'DATETIME'],
  ['TYPE_TIME', 'TIME'],
  ['TYPE_TIMESTAMP', 'TIMESTAMP'],
  ['TYPE_INTERVAL', 'INTERVAL'],
  ['TYPE_JSON', 'JSON'],
  ['TYPE_GEOGRAPHY', 'GEOGRAPHY'],
]);

const scalars = new Map([...scalarKinds].map(([kind, name]) => [kind, { kind: name } as const]));

/**
 * The type described by a `TypeProto`. Types that BigQuery lacks, and RANGE, are refused by name.
 */
export function typeFromProto(proto: AnyNode): SqlType {
  return scalars.get(proto.type_kind) ?? compositeType(proto);
}

/** Returns the same object for the same message, so that derived data can be cached by identity. */
const compositeType = memoized((proto: AnyNode): SqlType => {
  switch (proto.type_kind) {
    case 'TYPE_ARRAY': {
      const array = asMessage(proto.array_type, 'array_type');
      return { kind: 'ARRAY', element: typeFromProto(asMessage(array.element_type, 'element_type')) };
    }
    case 'TYPE_STRUCT': {
      const struct = asMessage(proto.struct_type, 'struct_type');
      const fields = asList(struct.field, 'field').map((entry) => {
        const field = asMessage(entry, 'field');
        return {
          name: String(field.field_name ?? ''),
          type: typeFromProto(asMessage(field.field_type, 'field_type')),
        };
      });
      return { kind: 'STRUCT', fields };
    }
    default:
      throw unsupported(`the type ${String(proto.type_kind).replace(/^TYPE_/, '')}`);
  }
});
