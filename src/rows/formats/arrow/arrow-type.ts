import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int64,
  List,
  Schema,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import { decimals } from '../../../sql/columns/column-batch.ts';
import { columnNames, structFieldNames } from '../../../sql/values/column-names.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';

/** The Arrow schema of a result. Fields can be null, except arrays. */
export function arrowSchema(columns: readonly Column[]): Schema {
  const names = columnNames(columns);
  return new Schema(columns.map(({ type }, index) => field(names[index] ?? '', type)));
}

function field(name: string, type: SqlType): Field {
  return new Field(name, arrowType(type), type.kind !== 'ARRAY');
}

/** The Arrow type of a GoogleSQL type. INTERVAL, JSON and GEOGRAPHY are texts. */
export function arrowType(type: SqlType): DataType {
  switch (type.kind) {
    case 'BOOL':
      return new Bool();
    case 'INT64':
      return new Int64();
    case 'FLOAT64':
      return new Float64();
    case 'NUMERIC':
    case 'BIGNUMERIC': {
      const { bits, precision, scale } = decimals[type.kind];
      return new Decimal(scale, precision, bits);
    }
    case 'BYTES':
      return new Binary();
    case 'DATE':
      return new DateDay();
    case 'DATETIME':
      return new TimestampMicrosecond();
    case 'TIMESTAMP':
      return new TimestampMicrosecond('UTC');
    case 'TIME':
      return new TimeMicrosecond();
    case 'STRING':
    case 'JSON':
    case 'INTERVAL':
    case 'GEOGRAPHY':
      return new Utf8();
    case 'ARRAY':
      return new List(new Field('item', arrowType(type.element), true));
    case 'STRUCT': {
      const names = structFieldNames(type.fields);
      return new Struct(type.fields.map((each, index) => field(names[index] ?? '', each.type)));
    }
  }
}
