import fc from 'fast-check';
import { maxTimestampMicros, minTimestampMicros } from '../../../../../src/sql/values/timestamp-text.ts';
import type { Column, ScalarTypeName, SqlType } from '../../../../../src/sql/values/type.ts';
import type { Value } from '../../../../../src/sql/values/value.ts';
import {
  dateText,
  datetimeTextOfMicros,
  formatDecimal,
  formatInterval,
  timeTextOfMicros,
} from '../../../../../src/sql/values/value-text.ts';

const micros = fc.bigInt({ min: minTimestampMicros, max: maxTimestampMicros });
const unscaled = (digits: number) =>
  fc.bigInt({ min: -(10n ** BigInt(digits)) + 1n, max: 10n ** BigInt(digits) - 1n });

/** Values of each type, in the forms of `Value`. */
const scalarValues: Readonly<Record<ScalarTypeName, fc.Arbitrary<Value>>> = {
  BOOL: fc.boolean(),
  INT64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  FLOAT64: fc.double(),
  NUMERIC: unscaled(38).map((value) => formatDecimal(value, 9)),
  BIGNUMERIC: unscaled(76).map((value) => formatDecimal(value, 38)),
  STRING: fc.string({ unit: 'binary' }),
  BYTES: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
  DATE: fc.integer({ min: -719_162, max: 2_932_896 }).map(dateText),
  DATETIME: micros.map(datetimeTextOfMicros),
  TIME: fc.bigInt({ min: 0n, max: 86_399_999_999n }).map(timeTextOfMicros),
  TIMESTAMP: micros,
  INTERVAL: fc
    .tuple(
      fc.integer({ min: -120_000, max: 120_000 }),
      fc.integer({ min: -3_660_000, max: 3_660_000 }),
      fc.bigInt({ min: -316_224_000_000_000_000n, max: 316_224_000_000_000_000n }),
    )
    .map(([months, days, time]) => formatInterval(months, days, time)),
  JSON: fc.json(),
  GEOGRAPHY: fc.constant('POINT(1 2)'),
};

const scalarTypes = Object.keys(scalarValues).map((kind) => ({ kind: kind as ScalarTypeName }));

/** Types as BigQuery has them: an array's elements are no arrays. */
export const types: fc.Arbitrary<SqlType> = fc.letrec<{ type: SqlType; element: SqlType }>((tie) => ({
  type: fc.oneof(
    { weight: 3, arbitrary: tie('element') },
    { weight: 1, arbitrary: tie('element').map((element): SqlType => ({ kind: 'ARRAY', element })) },
  ),
  element: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: fc.constantFrom<SqlType>(...scalarTypes) },
    {
      weight: 1,
      arbitrary: fc
        .array(tie('type'), { minLength: 1, maxLength: 3 })
        .map(
          (inner): SqlType => ({ kind: 'STRUCT', fields: inner.map((type, i) => ({ name: `f${i}`, type })) }),
        ),
    },
  ),
})).type;

/** Columns, some of them without a name. */
export const columns: fc.Arbitrary<readonly Column[]> = fc
  .array(fc.tuple(types, fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([type, isNamed], i) => ({ name: isNamed ? `c${i}` : '', type })));

/** A value of the type. Arrays are never NULL: BigQuery answers with empty ones. */
export function valueOfType(type: SqlType, chanceOfNull: boolean): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'ARRAY':
      return fc.array(valueOfType(type.element, chanceOfNull), { maxLength: 3 });
    case 'STRUCT': {
      const fields = fc.tuple(...type.fields.map((field) => valueOfType(field.type, chanceOfNull)));
      return chanceOfNull ? fc.option(fields) : fields;
    }
    default:
      return chanceOfNull ? fc.option(scalarValues[type.kind]) : scalarValues[type.kind];
  }
}
