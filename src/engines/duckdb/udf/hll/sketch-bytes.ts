import protobuf from 'protobufjs/minimal.js';
import { Failure } from '../../../../sql/values/function-errors.ts';
import { greatestPrecision, isSparseValue, type Precision } from './encoding.ts';
import type { Sketch } from './sketch.ts';

/*
 * The form of sketches in BigQuery: the message AggregatorStateProto of the public library ZetaSketch.
 */

const { Reader, Writer } = protobuf;

const aggregator = 112;
const version = 2;
/** Field numbers of the outer message and of the sketch in it. */
const outer = { type: 1, count: 2, version: 3, valueType: 4, state: 112 } as const;
const inner = { sparseSize: 2, precision: 3, sparsePrecision: 4, data: 5, sparseData: 6 } as const;

const [varint, bytesType] = [0, 2];
const tag = (field: number, wire: number) => (field << 3) | wire;

/** Sketches of signed and unsigned numbers are alike. */
const unsigned: Readonly<Record<number, number>> = { 1: 5, 2: 6, 3: 7, 4: 8 };

export function writeSketch({ type, count, precision, content }: Sketch): Uint8Array {
  const state = Writer.create();
  if (content instanceof Int32Array) state.uint32(tag(inner.sparseSize, varint)).uint32(content.length);
  state.uint32(tag(inner.precision, varint)).uint32(precision.normal);
  state.uint32(tag(inner.sparsePrecision, varint)).uint32(precision.sparse);
  if (content instanceof Int32Array)
    state.uint32(tag(inner.sparseData, bytesType)).bytes(writeDifferences(content));
  else state.uint32(tag(inner.data, bytesType)).bytes(content);
  return Writer.create()
    .uint32(tag(outer.type, varint))
    .uint32(aggregator)
    .uint32(tag(outer.count, varint))
    .uint64(String(count))
    .uint32(tag(outer.version, varint))
    .uint32(version)
    .uint32(tag(outer.valueType, varint))
    .uint32(type)
    .uint32(tag(outer.state, bytesType))
    .bytes(state.finish())
    .finish();
}

function writeDifferences(values: Int32Array): Uint8Array {
  const writer = Writer.create();
  let last = 0;
  for (const value of values) {
    writer.uint32(value - last);
    last = value;
  }
  return writer.finish();
}

/**
 * @param problem what an error says
 * @throws Failure for anything that is not a sketch
 */
export function readSketch(value: Uint8Array, problem: string): Sketch {
  try {
    return parsed(value);
  } catch {
    throw new Failure(problem);
  }
}

type Fields = ReadonlyMap<number, bigint | Uint8Array>;

/** The fields of a message, of which each occurs once. */
function fieldsOf(value: Uint8Array): Fields {
  const reader = Reader.create(value);
  const fields = new Map<number, bigint | Uint8Array>();
  while (reader.pos < reader.len) {
    const key = reader.uint32();
    if ((key & 7) === varint) fields.set(key >> 3, BigInt(reader.uint64().toString()));
    else if ((key & 7) === bytesType) fields.set(key >> 3, reader.bytes());
    else throw new TypeError('An unknown field');
  }
  return fields;
}

function numberIn(fields: Fields, field: number): number {
  const value = fields.get(field) ?? 0n;
  if (typeof value !== 'bigint') throw new TypeError('Not a number');
  return Number(value);
}

function bytesIn(fields: Fields, field: number): Uint8Array | undefined {
  const value = fields.get(field);
  if (typeof value === 'bigint') throw new TypeError('Not bytes');
  return value;
}

function parsed(value: Uint8Array): Sketch {
  const fields = fieldsOf(value);
  if (numberIn(fields, outer.type) !== aggregator || numberIn(fields, outer.version) !== version)
    throw new TypeError('Another aggregator');
  const state = fieldsOf(bytesIn(fields, outer.state) ?? new Uint8Array());
  const precision = {
    normal: numberIn(state, inner.precision),
    sparse: numberIn(state, inner.sparsePrecision),
  };
  const { normal, sparse } = precision;
  const isPrecise =
    normal >= 4 && normal <= greatestPrecision && (sparse === 0 || sparse >= normal) && sparse <= 25;
  if (!isPrecise) throw new TypeError('Another precision');
  const type = numberIn(fields, outer.valueType);
  return {
    type: unsigned[type] ?? type,
    count: BigInt(numberIn(fields, outer.count)),
    precision,
    content: contentOf(state, precision),
  };
}

function contentOf(state: Fields, precision: Precision): Int32Array | Uint8Array {
  const registers = bytesIn(state, inner.data);
  if (registers === undefined || registers.length === 0) {
    return readDifferences(bytesIn(state, inner.sparseData) ?? new Uint8Array(), precision);
  }
  const isRank = (rank: number) => rank <= 65 - precision.normal;
  if (registers.length !== 2 ** precision.normal || !registers.every(isRank))
    throw new TypeError('Wrong registers');
  return registers;
}

function readDifferences(data: Uint8Array, precision: Precision): Int32Array {
  const reader = Reader.create(data);
  const values: number[] = [];
  let last = -1;
  while (reader.pos < reader.len) {
    const value = Math.max(last, 0) + reader.uint32();
    if (value <= last || !isSparseValue(value, precision)) throw new TypeError('Wrong values');
    values.push(value);
    last = value;
  }
  return Int32Array.from(values);
}
