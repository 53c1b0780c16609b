import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';

/** A value in the analyzer's wire form (`ValueProto`), for the types that the test tables have. */
export function valueToProto(type: SqlType, value: Value): object {
  if (value === null) return {};
  switch (type.kind) {
    case 'BOOL':
      return { bool_value: value };
    case 'INT64':
      return { int64_value: String(value) };
    case 'FLOAT64':
      return { double_value: value };
    case 'STRING':
      return { string_value: value };
    case 'JSON':
      return { json_value: value };
    case 'BYTES':
      return { bytes_value: Buffer.from(String(value), 'base64') };
    case 'DATE':
      return { date_value: Date.parse(`${value}T00:00:00Z`) / 86_400_000 };
    case 'TIME': {
      const { packed, micros } = packClock(String(value));
      return { time_value: String((packed << 30n) | BigInt(micros * 1000)) };
    }
    case 'DATETIME': {
      const [date = '', clock = ''] = String(value).split('T');
      const [year = '', month = '', day = ''] = date.split('-');
      const { packed, micros } = packClock(clock);
      const bits = (BigInt(year) << 26n) | (BigInt(month) << 22n) | (BigInt(day) << 17n) | packed;
      return { datetime_value: { bit_field_datetime_seconds: String(bits), nanos: micros * 1000 } };
    }
    case 'TIMESTAMP': {
      const micros = BigInt(String(value));
      const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
      const seconds = (micros - fraction) / 1_000_000n;
      return { timestamp_value: { seconds: String(seconds), nanos: Number(fraction) * 1000 } };
    }
    case 'NUMERIC':
      return { numeric_value: twosComplement(unscaled(String(value), 9), 16) };
    case 'BIGNUMERIC':
      return { bignumeric_value: twosComplement(unscaled(String(value), 38), 32) };
    case 'ARRAY':
      return { array_value: { element: parts(value).map((part) => valueToProto(type.element, part)) } };
    case 'STRUCT':
      return {
        struct_value: {
          field: parts(value).map((part, i) => valueToProto(type.fields[i]?.type ?? type, part)),
        },
      };
    default:
      throw new TypeError(`No test table has the type ${type.kind}`);
  }
}

function parts(value: Value): readonly Value[] {
  if (!Array.isArray(value)) throw new TypeError('Not an array');
  return value;
}

function packClock(text: string): { packed: bigint; micros: number } {
  const [clock = '', fraction = '0'] = text.split('.');
  const [hour = '', minute = '', second = ''] = clock.split(':');
  return {
    packed: (BigInt(hour) << 12n) | (BigInt(minute) << 6n) | BigInt(second),
    micros: Number(fraction),
  };
}

function unscaled(decimal: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function twosComplement(value: bigint, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i += 8) bytes.writeBigUInt64LE(BigInt.asUintN(64, value >> BigInt(i * 8)), i);
  return bytes;
}
