import type { SqlType } from '../values/type.ts';
import type { Value } from '../values/value.ts';
import { dateText, formatDecimal, formatInterval } from '../values/value-text.ts';
import { datetimeText, timeText } from './civil-time.ts';
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
