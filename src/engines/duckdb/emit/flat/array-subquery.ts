import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { duckType } from '../../duck-type.ts';
import { oneOfElements } from '../../functions/comparison.ts';
import { columnName } from '../column-name.ts';
import type { Emitter } from '../emitter.ts';
import { computed, type Expression, subqueryWeight } from '../expression.ts';
import type { ArrayRows } from '../expressions/array-rows.ts';
import { overArguments } from '../expressions/bound-arguments.ts';
import { elementOf, presenceOf, recordValue } from './flat-record.ts';
import { recordAt } from './record-at.ts';

/**
 * A subquery over the arrays of records in flat form, which have at most one element each: it has one row, or none.
 *
 * @param limit as SQL, empty for none
 * @returns undefined where the subquery reads another array
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
  // Each condition is for elements that meet those before it, and may fail for others.
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
      return computed(when(value, 'NULL'), type, subqueryWeight);
    case 'ARRAY':
      return computed(when(`[${value}]`, `CAST([] AS ${duckType(type)})`), type, subqueryWeight);
    case 'IN':
      return overArguments([emitter.expression(node.child('in_expr'))], type, ([x]) =>
        x === undefined ? 'NULL' : when(oneOfElements(x, `[${value}]`), 'false'),
      );
  }
}

function valueOfRow(
  { computed: parts }: ArrayRows,
  value: Exclude<ArrayRows['value'], 'count'>,
  emitter: Emitter,
): string {
  const columns = parts.map((part) => [columnName(part.column), emitter.expression(part.value).sql] as const);
  const emit = () => {
    if (value instanceof ResolvedNode) return emitter.expression(value).sql;
    const record = emitter.form.find(columnName(value));
    return record === undefined ? columnName(value) : recordValue(record);
  };
  return columns.length === 0 ? emit() : emitter.lambdas.within(new Map(columns), emit);
}
