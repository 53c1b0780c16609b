import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { duckType } from '../../dialect/duck-type.ts';
import { computed, type Expression, subqueryWeight, wholeWeight } from '../../dialect/expression.ts';
import { oneOfElements } from '../../functions/comparison/comparison.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { elementOf, presenceOf, recordValue } from '../emitter/flat-record.ts';
import { recordAt } from '../flat/record-at.ts';
import { columnName } from '../pieces/column-name.ts';
import type { ArrayRows } from './array-rows.ts';
import { overArguments } from './bound-arguments.ts';

/**
 * Emits a subquery over arrays of records in flat form. They have at most one element, so it has one row or none.
 *
 * @param limit as SQL; empty if there is none
 * @returns undefined if the subquery reads another array
 */
export function flatArraySubquery(
  node: ResolvedNode,
  kind: 'SCALAR' | 'ARRAY' | 'EXISTS' | 'IN',
  rows: ArrayRows,
  limit: string,
  emitter: Emitter,
): Expression | undefined {
  const conditions: string[] = limit === '0' ? ['false'] : [];
  for (const { array, element, conditions: ofElement } of rows.unnestings) {
    const record = recordAt(array, emitter);
    if (record === undefined) return undefined;
    conditions.push(presenceOf(record));
    emitter.form.define(columnName(element), elementOf(record));
    conditions.push(...ofElement.map((condition) => emitter.expression(condition).sql));
  }
  const type = node.type();
  // Each condition is evaluated only for elements that satisfy the ones before, as it may fail for others.
  const when = (value: string, otherwise: string) =>
    conditions.reduceRight(
      (inner, condition) => `CASE WHEN ${condition} THEN ${inner} ELSE ${otherwise} END`,
      value,
    );
  if (kind === 'EXISTS') return computed(when('true', 'false'), type, subqueryWeight);
  if (rows.value === 'count')
    return computed(when('CAST(1 AS BIGINT)', 'CAST(0 AS BIGINT)'), type, subqueryWeight);
  const value = valueOfRow(rows, rows.value, emitter);
  switch (kind) {
    case 'SCALAR':
      return computed(when(value.sql, 'NULL'), type, subqueryWeight);
    case 'ARRAY':
      return computed(when(`[${value.sql}]`, `CAST([] AS ${duckType(type)})`), type, subqueryWeight);
    case 'IN': {
      const x = emitter.expression(node.child('in_expr'));
      // The conditions may refer to columns of several queries, which DuckDB can't resolve in bound arguments.
      const isEqual = overArguments([x, value], type, ([left = x, right = value]) =>
        oneOfElements(left, `[${right.sql}]`),
      );
      return computed(when(isEqual.sql, 'false'), type, subqueryWeight);
    }
  }
}

function valueOfRow(
  { computed: parts }: ArrayRows,
  value: Exclude<ArrayRows['value'], 'count'>,
  emitter: Emitter,
): Expression {
  const columns = parts.map((part) => [columnName(part.column), emitter.expression(part.value).sql] as const);
  const emit = () => {
    if (value instanceof ResolvedNode) return emitter.expression(value);
    const record = emitter.form.find(columnName(value));
    return record === undefined
      ? computed(columnName(value), value.type, 0)
      : computed(recordValue(record), value.type, wholeWeight);
  };
  return columns.length === 0 ? emit() : emitter.lambdas.within(new Map(columns), emit);
}
