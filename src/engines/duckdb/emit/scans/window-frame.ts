import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import type { Expression } from '../../dialect/expression.ts';
import { doubleRank, rankAtDistance } from '../../macros/double-rank.ts';
import { raise } from '../../macros/macro.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { maxRows } from '../emitter/steps.ts';
import type { SortKey } from '../pieces/sort-key.ts';

/** A window's order and its frame clause, which is empty if there is none. */
interface Framed {
  readonly keys: readonly SortKey[];
  readonly frame: string;
}

/** The frame of a window, and the keys from which its distances can be measured exactly. */
export function framed(order: readonly SortKey[], frame: ResolvedNode | undefined, emitter: Emitter): Framed {
  if (frame === undefined) return { keys: order, frame: '' };
  const unit = frame.choice('frame_unit', ['ROWS', 'RANGE']);
  const [key] = order;
  const ends = [frame.child('start_expr'), frame.child('end_expr')];
  const isMeasured = unit === 'RANGE' && ends.some((end) => end.has('expression'));
  const measured = isMeasured && key !== undefined ? measuredKey(key, frame) : undefined;
  const [start, end] = ends.map((node) => boundary(node, measured, emitter));
  return {
    keys: measured === undefined ? order : [measured.key],
    frame: `${unit} BETWEEN ${start} AND ${end}`,
  };
}

/** A key as a number that is exact and has room for distances: the bounds may exceed the key's type. */
interface MeasuredKey {
  readonly key: SortKey;
  /** The distance in the key's numbers. `up` tells whether the bound is at greater values. */
  distance(given: Expression, up: boolean): string;
}

function measuredKey(key: SortKey, frame: ResolvedNode): MeasuredKey {
  const whole = (column: string): SortKey => ({ ...key, column, type: wholeNumber });
  switch (key.type.kind) {
    case 'INT64':
      return { key: whole(`CAST(${key.column} AS HUGEINT)`), distance: ({ sql }) => sql };
    case 'NUMERIC':
      return { key: whole(billionths(key.column)), distance: ({ sql }, up) => withinRange(key, sql, up) };
    case 'FLOAT64': {
      // Distances have no meaning at NaN, and would reach infinity from the largest values. So numbers are replaced by
      // their rank among all numbers, and the distance by that between the ranks.
      const rank = doubleRank.call([key.column]);
      return {
        key: whole(rank),
        distance: ({ sql, constant }, up) => {
          const value = constant?.value;
          if (typeof value !== 'number' || !(value >= 0 && value < Infinity))
            throw frame.refusal(`RANGE with a distance of ${value}`);
          const far = rankAtDistance.call([key.column, up ? sql : `-(${sql})`]);
          return up ? `${far} - ${rank}` : `${rank} - ${far}`;
        },
      };
    }
    default:
      throw frame.refusal(`RANGE with a distance on ${key.type.kind}`);
  }
}

const wholeNumber: SqlType = { kind: 'INT64' };

/** A NUMERIC as a whole number of its smallest unit. */
function billionths(sql: string): string {
  const whole = `trunc(${sql})`;
  return `(CAST(${whole} AS HUGEINT) * 1000000000 + CAST((${sql} - ${whole}) * 1000000000 AS HUGEINT))`;
}

/** All keys, in billionths, are nearer to zero. */
const beyondKeys = `1${'0'.repeat(38)}::HUGEINT`;

/** A distance in billionths, at most so large that the bound is beyond all keys: HUGEINT may not hold the sum. */
function withinRange({ column }: SortKey, distance: string, up: boolean): string {
  const [given, key] = [billionths(distance), billionths(column)];
  return up
    ? `CASE WHEN ${column} > 0 THEN least(${given}, ${beyondKeys} - ${key}) ELSE ${given} END`
    : `CASE WHEN ${column} < 0 THEN least(${given}, ${beyondKeys} + ${key}) ELSE ${given} END`;
}

/** A number of rows, at most so large that DuckDB can add it to a row's position. */
function withinRows({ sql, constant }: Expression): string {
  const value = constant?.value;
  if (typeof value !== 'bigint') return sql;
  if (value < 0n) {
    const message = `Window frame offset for PRECEDING or FOLLOWING must be non-negative, but was ${value}`;
    return raise(`'${message}'`, 'BIGINT');
  }
  return value > maxRows ? `${maxRows}` : sql;
}

function boundary(node: ResolvedNode, measured: MeasuredKey | undefined, emitter: Emitter): string {
  const type = node.choice('boundary_type', [
    'UNBOUNDED_PRECEDING',
    'OFFSET_PRECEDING',
    'CURRENT_ROW',
    'OFFSET_FOLLOWING',
    'UNBOUNDED_FOLLOWING',
  ]);
  const distance = (direction: 'PRECEDING' | 'FOLLOWING') => {
    const given = emitter.expression(node.child('expression'));
    // Fails if the window has rows.
    if (given.constant?.isNull)
      return `${raise("'The boundary offset value cannot be null'", 'BIGINT')} ${direction}`;
    if (measured === undefined) return `${withinRows(given)} ${direction}`;
    const up = (direction === 'FOLLOWING') !== measured.key.descending;
    return `${measured.distance(given, up)} ${direction}`;
  };
  switch (type) {
    case 'OFFSET_PRECEDING':
      return distance('PRECEDING');
    case 'OFFSET_FOLLOWING':
      return distance('FOLLOWING');
    default:
      return type.replace('_', ' ');
  }
}
