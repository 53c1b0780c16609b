import { asMessage } from '../../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { columnFromProto } from '../../../../sql/resolved/result-columns.ts';
import { plain, type Sql, withCalls } from '../../dialect/calls.ts';
import type { Emitter } from '../emitter/emitter.ts';
import {
  fromItem,
  named,
  type Relation,
  relation,
  render,
  unordered,
  withColumns,
} from '../emitter/relation.ts';
import { grouped } from '../emitter/steps.ts';
import { mergedAggregateCall } from '../expressions/aggregate-call.ts';
import { columnName } from '../pieces/column-name.ts';
import { partOfRows, sliceColumn, sliceOfTime, storedParts } from '../sliced/slice-marks.ts';
import { sliceField } from '../sliced/slice-statement.ts';

/**
 * An aggregation that is merged: from slices that are kept, and from rows. The parts have the slice, the keys of the groups, the
 * number of rows, and the values of the aggregates, in this order.
 */
export function mergedAggregation(node: ResolvedNode, emitter: Emitter): Relation {
  const field = node.message(sliceField);
  const number = Number(field.number);
  const time = columnName(columnFromProto(asMessage(field.column, 'column')));
  const input = unordered(emitter.scan(node.child('input_scan')));
  const keys = new Map(
    node.list('group_by_list').map((key): [string, Sql] => {
      const { sql, calls } = emitter.expression(key.child('expr'));
      return [columnName(key.column('column')), { sql, calls }];
    }),
  );
  const parts = new Map<string, Sql>([[rowsColumn, plain('count(*)')]]);
  const joined = [`sum(${rowsColumn}) AS ${rowsColumn}`];
  const merged = new Map<string, Sql>();
  for (const item of node.list('aggregate_list')) {
    const column = columnName(item.column('column'));
    const [aggregate, calls] = withCalls(() => mergedAggregateCall(item.child('expr'), emitter));
    const names = aggregate.parts.map((_, i) => `${column}_${i}`);
    const ofSeveral = aggregate.joined(names);
    for (const [i, name] of names.entries()) {
      parts.set(name, { sql: aggregate.parts[i] as string, calls });
      joined.push(`${ofSeveral[i]} AS ${name}`);
    }
    merged.set(column, { sql: aggregate.merged(names), calls });
  }
  const names = [...keys.keys()];
  const slice: Sql = plain(sliceOfTime(number, time));
  const rows = render(groups(input, new Map([[sliceColumn, slice], ...keys]), parts));
  const select = new Map([...names.map((name): [string, Sql] => [name, plain(name)]), ...merged]);
  if (select.size === 0) select.set('c0', plain('count(*)'));
  return {
    ...relation(
      `(${storedParts(number)}${partOfRows(number, { select: rows, keys: names.join(', '), joined: joined.join(', ') })})`,
    ),
    select,
    others: '',
    groupBy: names,
  };
}

/** How many rows a group of a slice has. */
const rowsColumn = 'slice_rows';

function groups(
  input: Relation,
  keys: ReadonlyMap<string, Sql>,
  aggregates: ReadonlyMap<string, Sql>,
): Relation {
  const merged = grouped(input, keys, aggregates);
  if (merged !== undefined) return merged;
  const names = [...keys.keys()];
  return {
    ...relation(
      withColumns(
        fromItem(input),
        [...keys].map(([name, sql]) => named(sql, name)),
      ),
    ),
    select: new Map([...names.map((name): [string, Sql] => [name, plain(name)]), ...aggregates]),
    others: '',
    groupBy: names,
  };
}
