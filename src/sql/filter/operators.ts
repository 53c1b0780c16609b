import type { ScalarTypeName } from '../values/type.ts';

/** The comparisons with one value, in GoogleSQL. */
export const comparisons = { eq: '=', ne: '!=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** The operators of filters, by what they take. */
export const operators = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'regex', 'isNull'] as const;

export type Operator = (typeof operators)[number];

const ordered: readonly Operator[] = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'isNull'];
const equal: readonly Operator[] = ['eq', 'ne', 'in', 'isNull'];
const present: readonly Operator[] = ['isNull'];

const operatorsByType: Readonly<Record<ScalarTypeName, readonly Operator[]>> = {
  STRING: operators,
  INT64: ordered,
  FLOAT64: ordered,
  NUMERIC: ordered,
  BIGNUMERIC: ordered,
  DATE: ordered,
  DATETIME: ordered,
  TIME: ordered,
  TIMESTAMP: ordered,
  BOOL: equal,
  BYTES: equal,
  INTERVAL: present,
  JSON: present,
  GEOGRAPHY: present,
};

/** The operators for values of a type. */
export function operatorsOf(type: ScalarTypeName): readonly Operator[] {
  return operatorsByType[type];
}

/** Whether rows can be ordered by values of a type. */
export function isOrderable(type: ScalarTypeName): boolean {
  return operatorsByType[type].length > 1;
}
