import duckdb from '@duckdb/node-bindings';
import {
  type ColumnData,
  decimals,
  type FixedData,
  isPresent,
} from '../../../../sql/columns/column-batch.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { vectorTexts } from './vector-texts.ts';

const { Type } = duckdb;

/** Some values of a vector. */
interface VectorRange {
  readonly vector: duckdb.Vector;
  readonly start: number;
  readonly count: number;
  /** Which of the records exist that contain the values: a bit each. All if absent. */
  readonly within?: Uint8Array | undefined;
}

/** The physical types whose values have Arrow's layout, or nearly. Types that are absent aren't read by this. */
const physicalTypes: Readonly<Partial<Record<SqlType['kind'], duckdb.Type>>> = {
  BOOL: Type.BOOLEAN,
  INT64: Type.BIGINT,
  FLOAT64: Type.DOUBLE,
  STRING: Type.VARCHAR,
  JSON: Type.VARCHAR,
  TIMESTAMP: Type.TIMESTAMP,
  DATETIME: Type.TIMESTAMP,
  DATE: Type.DATE,
  TIME: Type.TIME,
  NUMERIC: Type.DECIMAL,
  BYTES: Type.BLOB,
  ARRAY: Type.LIST,
  STRUCT: Type.STRUCT,
};

/**
 * Values of a vector as a column. Undefined if they aren't there in the type's usual physical form: then they must be
 * decoded one by one.
 */
export function vectorColumn(type: SqlType, range: VectorRange): ColumnData | undefined {
  const { vector, count } = range;
  const physical = duckdb.vector_get_column_type(vector);
  if (duckdb.get_type_id(physical) !== physicalTypes[type.kind]) return undefined;
  const nulls = nullsOf(range);
  switch (type.kind) {
    case 'BOOL':
      return { ...nulls, data: bits(range, nulls) };
    case 'INT64':
    case 'TIMESTAMP':
    case 'DATETIME':
    case 'TIME':
      return { ...nulls, data: new BigInt64Array(fixed(range, nulls, 8)) };
    case 'FLOAT64':
      return { ...nulls, data: new Float64Array(fixed(range, nulls, 8)) };
    case 'DATE':
      return { ...nulls, data: new Int32Array(fixed(range, nulls, 4)) };
    case 'NUMERIC': {
      const isHuge = duckdb.decimal_internal_type(physical) === Type.HUGEINT;
      if (!isHuge || duckdb.decimal_scale(physical) !== decimals.NUMERIC.scale) return undefined;
      return { ...nulls, data: new Uint32Array(fixed(range, nulls, 16)) };
    }
    case 'STRING':
    case 'JSON':
    case 'BYTES': {
      const texts = vectorTexts(vector, range.start, count, (index) => has(nulls, index));
      return { ...nulls, ...texts };
    }
    case 'ARRAY':
      return list(type.element, range, nulls);
    case 'STRUCT': {
      if (duckdb.struct_type_child_count(physical) !== type.fields.length) return undefined;
      const children: ColumnData[] = [];
      for (const [index, field] of type.fields.entries()) {
        const child = duckdb.struct_vector_get_child(vector, index);
        const column = vectorColumn(field.type, { ...range, vector: child, within: nulls.validity });
        if (column === undefined) return undefined;
        children.push(column);
      }
      return { ...nulls, children };
    }
    default:
      return undefined;
  }
}

type Nulls = Pick<ColumnData, 'length' | 'nullCount' | 'validity'>;

const has = (nulls: Nulls, index: number) => isPresent(nulls, index);

/** DuckDB's bits of validity are those of Arrow. */
function nullsOf({ vector, start, count, within }: VectorRange): Nulls {
  const none = { length: count, nullCount: 0 };
  const words = Math.ceil((start + count) / 64);
  const given: Uint8Array | null = duckdb.vector_get_validity(vector, words * 8);
  if (given === null && within === undefined) return none;
  const validity = new Uint8Array((count + 7) >> 3);
  let present = 0;
  for (let index = 0; index < count; index++) {
    const at = start + index;
    if (given !== null && ((given[at >> 3] ?? 0) & (1 << (at & 7))) === 0) continue;
    if (within !== undefined && ((within[index >> 3] ?? 0) & (1 << (index & 7))) === 0) continue;
    validity[index >> 3] = (validity[index >> 3] ?? 0) | (1 << (index & 7));
    present++;
  }
  return present === count ? none : { length: count, nullCount: count - present, validity };
}

/** Values of some bytes each. What DuckDB's memory has in place of NULLs is replaced. */
function fixed({ vector, start, count }: VectorRange, nulls: Nulls, width: number): ArrayBuffer {
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, (start + count) * width);
  const from = byteOffset + start * width;
  const bytes = (buffer as ArrayBuffer).slice(from, from + count * width);
  if (nulls.nullCount > 0) {
    const values = new Uint8Array(bytes);
    for (let index = 0; index < count; index++) {
      if (!has(nulls, index)) values.fill(0, index * width, (index + 1) * width);
    }
  }
  return bytes;
}

function bits({ vector, start, count }: VectorRange, nulls: Nulls): FixedData {
  const bytes = duckdb.vector_get_data(vector, (start + count) * duckdb.sizeof_bool);
  const packed = new Uint8Array((count + 7) >> 3);
  for (let index = 0; index < count; index++) {
    if (bytes[(start + index) * duckdb.sizeof_bool] === 0 || !has(nulls, index)) continue;
    packed[index >> 3] = (packed[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return packed;
}

/** Lists whose elements follow each other in the child. */
function list(element: SqlType, range: VectorRange, nulls: Nulls): ColumnData | undefined {
  const { vector, start, count } = range;
  const entries = listEntries(vector, start + count);
  const offsets = new Int32Array(count + 1);
  let first: number | undefined;
  let total = 0;
  for (let index = 0; index < count; index++) {
    const { offset, length } = entries(start + index);
    if (length > 0 && has(nulls, index)) {
      first ??= offset;
      if (offset !== first + total) return undefined;
      total += length;
    }
    offsets[index + 1] = total;
  }
  const child = duckdb.list_vector_get_child(vector);
  const elements = vectorColumn(element, { vector: child, start: first ?? 0, count: total });
  return elements && { length: count, nullCount: 0, offsets, children: [elements] };
}

/** Returns where the elements of a list are in the child vector. */
export function listEntries(vector: duckdb.Vector, count: number) {
  const raw = duckdb.vector_get_data(vector, count * 16);
  const words = new BigUint64Array(raw.buffer, raw.byteOffset, count * 2);
  return (index: number) => ({
    offset: Number(words[index * 2] ?? 0n),
    length: Number(words[index * 2 + 1] ?? 0n),
  });
}
