import fc from 'fast-check';
import { operatorsOf } from '../../../../src/sql/filter/operators.ts';
import type { ScalarTypeName } from '../../../../src/sql/values/type.ts';
import type { Written } from './evaluate.ts';
import { columns, type TriedColumn, valuesOf } from './rows.ts';

const patterns = ['a', '^a', 'a$', '.', '^$', '[ab]{2}', '[\'"]', 'é|𝄞'];
const names: Readonly<Record<string, ScalarTypeName>> = {
  INTEGER: 'INT64',
  FLOAT: 'FLOAT64',
  BOOLEAN: 'BOOL',
};

/** Filters over the rows, of all operators and combinations. */
export const arbitraryFilter: fc.Arbitrary<Written> = ofRecord(columns, 2);

function ofRecord(fields: readonly TriedColumn[], depth: number): fc.Arbitrary<Written> {
  const field = fc.oneof(
    ...fields.map((column) =>
      (column.fields === undefined ? ofScalar(column.type) : ofRecord(column.fields, 0)).map((value) => ({
        [column.name]: value,
      })),
    ),
  );
  const conditions = fc
    .array(field, { minLength: 1, maxLength: 2 })
    .map((each) => Object.assign({}, ...each));
  if (depth === 0) return conditions;
  const inner = ofRecord(fields, depth - 1);
  const lists = fc.array(inner, { maxLength: 3 });
  return fc.oneof(
    { arbitrary: conditions, weight: 3 },
    { arbitrary: fc.record({ and: lists }), weight: 1 },
    { arbitrary: fc.record({ or: lists }), weight: 2 },
    { arbitrary: fc.record({ not: inner }), weight: 2 },
    { arbitrary: fc.tuple(conditions, inner).map(([a, not]) => ({ ...a, not })), weight: 1 },
  );
}

function ofScalar(type: string): fc.Arbitrary<Written> {
  const value = fc.constantFrom(...(valuesOf[type] ?? []));
  const operator = fc.constantFrom(...operatorsOf(names[type] ?? (type as ScalarTypeName)));
  const test = operator.chain((name): fc.Arbitrary<Written> => {
    if (name === 'isNull') return fc.boolean().map((wanted) => ({ isNull: wanted }));
    if (name === 'in') return fc.array(value, { maxLength: 3 }).map((values) => ({ in: values }));
    if (name === 'regex') return fc.constantFrom(...patterns).map((pattern) => ({ regex: pattern }));
    return value.map((operand) => ({ [name]: operand }));
  });
  return fc.array(test, { minLength: 1, maxLength: 2 }).map((tests) => Object.assign({}, ...tests));
}
