import { plain } from '../../dialect/calls.ts';
import type { ScanEmitter } from '../emitter/emitter.ts';
import { outerColumns } from '../emitter/outer-columns.ts';
import { continued, fromItem, type Relation } from '../emitter/relation.ts';
import { filter } from '../emitter/steps.ts';
import { timeBounds } from '../emitter/time-bounds.ts';
import { conditionOf } from './condition.ts';

export const filterScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const condition = conditionOf(node.child('filter_expr'), emitter);
  const emitted = emitter.expression(condition);
  if (emitted.constant?.value === true) return source;
  const bounds = timeBounds(condition, source.times, emitter).map(plain);
  const isCorrelated = emitter.isCorrelated && outerColumns(condition.arrived).size > 0;
  return [emitted, ...bounds].reduce<Relation>(filter, isCorrelated ? besideOuterRows(source) : source);
};

/**
 * The rows for a condition with columns of an outer query. DuckDB combines an outer query's values with the rows below
 * their topmost SELECT, and then can't always move the condition below that SELECT, as with the columns of a border: it
 * would compare each row with each value. A join without outer columns has no SELECT on top, so DuckDB combines the
 * values beside it, and joins by equal columns.
 */
function besideOuterRows(source: Relation): Relation {
  return continued(source, `(${fromItem(source)} CROSS JOIN (SELECT 1 AS beside))`);
}
