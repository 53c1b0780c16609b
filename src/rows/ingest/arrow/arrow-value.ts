import {
  type Data,
  DataType,
  type Decimal,
  type FixedSizeList,
  makeVector,
  type TimeUnit,
} from 'apache-arrow';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import type { SourceColumn } from '../../../definitions/sources/source.ts';
import { maxTimestampMicros, minTimestampMicros } from '../../../sql/values/timestamp-text.ts';
import { elementType } from '../../../sql/values/type.ts';
import { dateText, datetimeTextOfMicros, timeTextOfMicros } from '../../../sql/values/value-text.ts';
import { RowValidationError } from '../encode/row-validation-error.ts';

/** Whether a time was cut to microseconds. */
export interface Cuts {
  isFound: boolean;
}

/**
 * The JSON text that an NDJSON line would have for a value of an Arrow array. The row's encoder checks what the column accepts.
 *
 * @param column the target column, undefined when the source has none
 * @throws RowValidationError for a type that no column has, and a time or a date that none can have
 */
function arrowValue(data: Data, index: number, column: SourceColumn | undefined, cuts: Cuts): string {
  if (!data.getValid(index)) return 'null';
  const { type } = data;
  if (DataType.isDictionary(type)) {
    const key = Number(data.values[index]);
    return vectorValue(data.dictionary, key, column, cuts);
  }
  if (DataType.isStruct(type)) return arrowRecord(data, index, column?.fields ?? [], cuts);
  if (
    DataType.isList(type) ||
    DataType.isMap(type) ||
    DataType.isFixedSizeList(type) ||
    DataType.isLargeList(type)
  )
    return listValue(data, index, column, cuts);
  if (DataType.isTimestamp(type)) return timestampText(micros(data.values[index], type.unit, cuts));
  if (DataType.isTime(type)) return timeOfDayText(micros(data.values[index], type.unit, cuts));
  if (DataType.isDate(type)) return dayText(daysOf(data, index));
  if (DataType.isDecimal(type)) return `"${decimalText(data, index)}"`;
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return scalarValue(textAt(data, index), column);
  return scalarValue(makeVector(data).get(index), column);
}

/** A record, or a whole row, as JSON text. Columns are found by name in any letter case. */
export function arrowRecord(data: Data, index: number, columns: readonly SourceColumn[], cuts: Cuts): string {
  const members = data.type.children.map((field: { readonly name: string }, place: number) => {
    const column = columns.find((candidate) => candidate.name.toLowerCase() === field.name.toLowerCase());
    const child = data.children[place];
    const value =
      child === undefined ? 'null' : within(field.name, () => arrowValue(child, index, column, cuts));
    return `${JSON.stringify(field.name)}:${value}`;
  });
  return `{${members.join()}}`;
}

function within(step: string | number, task: () => string): string {
  try {
    return task();
  } catch (error) {
    throw error instanceof RowValidationError ? error.within(step) : error;
  }
}

/** The library leaves out a U+FEFF at the beginning of a text. */
function textAt({ valueOffsets, values }: Pick<Data, 'valueOffsets' | 'values'>, index: number): string {
  const [from, to] = [Number(valueOffsets[index]), Number(valueOffsets[index + 1])];
  return Buffer.from(values.buffer, values.byteOffset + from, to - from).toString('utf8');
}

interface Dictionary {
  readonly data: readonly Data[];
}

function vectorValue(
  vector: Dictionary | undefined,
  index: number,
  column: SourceColumn | undefined,
  cuts: Cuts,
): string {
  let rest = index;
  for (const data of vector?.data ?? []) {
    if (rest < data.length) return arrowValue(data, rest, column, cuts);
    rest -= data.length;
  }
  return 'null';
}

/** Of a map, the elements are records of a key and a value. */
function listValue(data: Data, index: number, column: SourceColumn | undefined, cuts: Cuts): string {
  const [child] = data.children;
  if (child === undefined) return '[]';
  const size = DataType.isFixedSizeList(data.type) ? (data.type as FixedSizeList).listSize : undefined;
  const [from, to] =
    size === undefined
      ? [Number(data.valueOffsets[index]), Number(data.valueOffsets[index + 1])]
      : [index * size, (index + 1) * size];
  const elements: string[] = [];
  // A text in a list that becomes JSON is no JSON text.
  const ofElement = column?.type.kind === 'JSON' ? undefined : column;
  for (let at = from; at < to; at++)
    elements.push(within(at - from, () => arrowValue(child, at, ofElement, cuts)));
  return `[${elements.join()}]`;
}

/** By unit: seconds, milliseconds, microseconds, nanoseconds. */
function micros(value: number | bigint, unit: TimeUnit, cuts: Cuts): bigint {
  const count = BigInt(value);
  if (unit <= 2) return count * 1000n ** BigInt(2 - unit);
  if (count % 1000n !== 0n) cuts.isFound = true;
  // Rounds down, before 1970 as well.
  return count < 0n ? -((-count + 999n) / 1000n) : count / 1000n;
}

function timestampText(instant: bigint): string {
  if (instant < minTimestampMicros || instant > maxTimestampMicros)
    throw new RowValidationError('a time outside the years 1 to 9999');
  return `"${datetimeTextOfMicros(instant)}"`;
}

const microsPerDay = 86_400_000_000n;

function timeOfDayText(value: bigint): string {
  if (value < 0n || value >= microsPerDay) throw new RowValidationError('a time of day beyond 24 hours');
  return `"${timeTextOfMicros(value)}"`;
}

const [minDays, maxDays] = [minTimestampMicros, maxTimestampMicros].map((each) =>
  Number((each - (((each % microsPerDay) + microsPerDay) % microsPerDay)) / microsPerDay),
) as [number, number];

function dayText(days: number): string {
  if (days < minDays || days > maxDays) throw new RowValidationError('a date outside the years 1 to 9999');
  return `"${dateText(days)}"`;
}

const msPerDay = 86_400_000n;

function daysOf(data: Data, index: number): number {
  const value = data.values[index];
  return typeof value === 'bigint' ? Number(value / msPerDay) : Number(value);
}

function decimalText(data: Data, index: number): string {
  const { scale, bitWidth } = data.type as Decimal;
  const words = bitWidth / 32;
  let value = 0n;
  for (let word = words - 1; word >= 0; word--)
    value = (value << 32n) | BigInt(data.values[index * words + word] ?? 0);
  value = BigInt.asIntN(bitWidth, value);
  if (scale <= 0) return String(value * 10n ** BigInt(-scale));
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function scalarValue(value: unknown, column: SourceColumn | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return `"${value}"`;
    return Object.is(value, -0) ? '-0.0' : String(value);
  }
  if (typeof value === 'string') {
    if (column === undefined || elementType(column.type).kind !== 'JSON') return JSON.stringify(value);
    if (parsedJson(value) === undefined) throw new RowValidationError('not JSON');
    return value.replace(/[\r\n]+/g, ' ');
  }
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  throw new RowValidationError('an Arrow type that no source has');
}
