import { memoized } from '../../base/async/memoized.ts';
import type { ScalarTypeName, SqlType } from '../values/type.ts';
import type { Value } from '../values/value.ts';
import { dateText, formatDecimal, formatInterval } from '../values/value-text.ts';
import { type AnyNode, asList, asMessage } from './node.ts';
import { unsupported } from './unsupported.ts';

/** The value described by a `ValueProto` of that type. */
export function valueFromProto(type: SqlType, proto: AnyNode): Value {
  if (!('value' in proto)) return null;
  switch (type.kind) {
    case 'BOOL':
      return Boolean(proto.bool_value);
    case 'INT64':
      return BigInt(String(proto.int64_value));
    case 'FLOAT64':
      return Number(proto.double_value);
    case 'STRING':
      return String(proto.string_value);
    case 'JSON':
      return String(proto.json_value);
    case 'BYTES':
      return bytesOf(proto.bytes_value).toString('base64');
    case 'DATE':
      return dateText(Number(proto.date_value));
    case 'TIME':
      return timeText(BigInt(String(proto.time_value)));
    case 'DATETIME': {
      const packed = asMessage(proto.datetime_value, 'datetime_value');
      return datetimeText(BigInt(String(packed.bit_field_datetime_seconds ?? 0)), Number(packed.nanos ?? 0));
    }
    case 'TIMESTAMP': {
      const instant = asMessage(proto.timestamp_value, 'timestamp_value');
      const micros = Math.trunc(Number(instant.nanos ?? 0) / 1000);
      return BigInt(String(instant.seconds ?? 0)) * 1_000_000n + BigInt(micros);
    }
    case 'NUMERIC':
      return formatDecimal(littleEndian(bytesOf(proto.numeric_value)), 9);
    case 'BIGNUMERIC':
      return formatDecimal(littleEndian(bytesOf(proto.bignumeric_value)), 38);
    case 'INTERVAL':
      return intervalText(bytesOf(proto.interval_value));
    case 'ARRAY': {
      const elements = asList(asMessage(proto.array_value, 'array_value').element, 'element');
      return elements.map((element) => valueFromProto(type.element, asMessage(element, 'element')));
    }
    case 'STRUCT': {
      const values = asList(asMessage(proto.struct_value, 'struct_value').field, 'field');
      return type.fields.map((field, i) => valueFromProto(field.type, asMessage(values[i], 'field')));
    }
    case 'GEOGRAPHY':
      throw unsupported('a constant of the type GEOGRAPHY');
  }
}

function bytesOf(value: unknown): Buffer {
  if (!(value instanceof Uint8Array)) throw new TypeError('The resolved tree is malformed: no bytes');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** A two's complement integer, least significant byte first. */
function littleEndian(bytes: Buffer): bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes.readUInt8(i));
  return BigInt.asIntN(8 * bytes.length, value);
}

/** 16 bytes: microseconds, days, then a word of nanoseconds (10 bits), unused (3), months (18) and a sign. */
function intervalText(bytes: Buffer): string {
  const word = bytes.readUInt32LE(12);
  const months = ((word >>> 13) & 0x3ffff) * (word >>> 31 === 1 ? -1 : 1);
  return formatInterval(months, bytes.readInt32LE(8), bytes.readBigInt64LE(0));
}

/**
 * Civil times of the analyzer, packed into the bits of an integer as described in its `civil_time.h`: seconds 0-5,
 * minutes 6-11, hours 12-16, days 17-21, months 22-25, years 26-39.
 */
function bits(packed: bigint, offset: bigint, width: bigint): string {
  return String((packed >> offset) & ((1n << width) - 1n));
}

function clock(packed: bigint, nanoseconds: number): string {
  const [hour, minute, second] = [bits(packed, 12n, 5n), bits(packed, 6n, 6n), bits(packed, 0n, 6n)];
  const micros = Math.trunc(nanoseconds / 1000);
  const time = [hour, minute, second].map((part) => part.padStart(2, '0')).join(':');
  return micros === 0 ? time : `${time}.${String(micros).padStart(6, '0')}`;
}

/** The text form of a packed DATETIME, as in `Value`. */
function datetimeText(packedSeconds: bigint, nanoseconds: number): string {
  const [year, month, day] = [
    bits(packedSeconds, 26n, 14n).padStart(4, '0'),
    bits(packedSeconds, 22n, 4n).padStart(2, '0'),
    bits(packedSeconds, 17n, 5n).padStart(2, '0'),
  ];
  return `${year}-${month}-${day}T${clock(packedSeconds, nanoseconds)}`;
}

/** The text form of a packed TIME: nanoseconds in the low 30 bits, the packed time above. */
function timeText(packed: bigint): string {
  return clock(packed >> 30n, Number(packed & ((1n << 30n) - 1n)));
}

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
