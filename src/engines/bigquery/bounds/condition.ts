import { type AnyNode, idOf, unwrap } from '../../../sql/resolved/node.ts';
import { isPopulated } from '../../../sql/resolved/populated.ts';
import { identifier } from '../../../sql/text/identifier.ts';
import { asksClock, type Constant, callOf, constantOf, sqlOf, typeOf } from './constant.ts';
import { type KnownValues, knownValue } from './known-value.ts';

/** A comparison of a row's time with a constant. */
export interface TimeBound {
  readonly operator: '=' | '<' | '<=' | '>' | '>=';
  readonly time: Constant;
}

/** What a condition says of a row's time. It is plain data, because it is found in another thread. */
export type Condition =
  | ({ readonly kind: 'bounds' } & Comparison)
  | { readonly kind: 'constant'; readonly value: Constant }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  /** Each condition with its result. The last one may have only a result. */
  | { readonly kind: 'case'; readonly branches: readonly Branch[] }
  /** Nothing that can be told. */
  | { readonly kind: 'other' };

/** What a comparison says of a row's time. */
interface Comparison {
  readonly bounds: readonly TimeBound[];
  /** Whether it is true of all times within the bounds, too. */
  readonly isExact: boolean;
}

interface Branch {
  readonly when?: Condition;
  readonly result: Condition;
}

const other: Condition = { kind: 'other' };

/**
 * Reads a condition.
 *
 * @param isTime whether a column, given by its id, has the time
 */
export function conditionOf(expression: AnyNode, isTime: (column: string) => boolean): Condition {
  const constant = constantOf(expression);
  if (constant !== undefined) return { kind: 'constant', value: constant };
  const call = callOf(expression);
  if (call === undefined) return other;
  const { name, arguments: args } = call;
  const parts = () => args.map((argument) => conditionOf(argument, isTime));
  switch (name) {
    case '$and':
      return { kind: 'and', parts: parts() };
    case '$or':
      return { kind: 'or', parts: parts() };
    case 'if':
    case '$case_no_value':
      return { kind: 'case', branches: branchesOf(parts()) };
    default: {
      const comparison = comparedTime(name, args, isTime);
      return comparison === undefined ? other : { kind: 'bounds', ...comparison };
    }
  }
}

function branchesOf(parts: readonly Condition[]): Branch[] {
  const branches: Branch[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const [when, result] = [parts[at], parts[at + 1]];
    if (when !== undefined) branches.push(result === undefined ? { result: when } : { when, result });
  }
  return branches;
}

const operators: Readonly<Record<string, TimeBound['operator']>> = {
  $equal: '=',
  $less: '<',
  $less_or_equal: '<=',
  $greater: '>',
  $greater_or_equal: '>=',
};
const exchanged = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** The bounds that a comparison implies. */
function comparedTime(
  name: string,
  [first, second, third]: readonly AnyNode[],
  isTime: (column: string) => boolean,
): Comparison | undefined {
  if (first === undefined || second === undefined) return undefined;
  if (name === '$between') {
    const [from, to] = [constantOf(second), third && constantOf(third)];
    if (from === undefined || to === undefined) return undefined;
    const [lower, upper] = [implied(first, '>=', from, isTime), implied(first, '<=', to, isTime)];
    if (lower === undefined || upper === undefined) return undefined;
    return { bounds: [...lower.bounds, ...upper.bounds], isExact: lower.isExact && upper.isExact };
  }
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator === undefined) return undefined;
  const [left, right] = [constantOf(first), constantOf(second)];
  if (right !== undefined) return implied(first, operator, right, isTime);
  return left === undefined ? undefined : implied(second, exchanged[operator], left, isTime);
}

/** What a comparison of the time, of its date, or of its beginning of an hour or day implies for the time. */
function implied(
  expression: AnyNode,
  operator: TimeBound['operator'],
  constant: Constant,
  isTime: (column: string) => boolean,
): Comparison | undefined {
  if (isTimeColumn(expression, isTime)) return { bounds: [{ operator, time: constant }], isExact: true };
  const call = callOf(expression);
  const [argument, part, zone] = call?.arguments ?? [];
  if (call?.name === 'timestamp_trunc' && argument !== undefined && isTimeColumn(argument, isTime)) {
    // The time isn't before the beginning of its hour.
    if (part === undefined || zone !== undefined || operator === '<' || operator === '<=')
      return { bounds: [], isExact: false };
    return { bounds: [{ operator: operator === '>' ? '>' : '>=', time: constant }], isExact: false };
  }
  if (!isDateOfTime(expression, isTime)) return undefined;
  return { bounds: impliedByDate(operator, constant), isExact: true };
}

/** `DATE(time)` and `CAST(time AS DATE)` are in the same zone as `TIMESTAMP(date)`. */
function impliedByDate(operator: TimeBound['operator'], date: Constant): readonly TimeBound[] {
  const begin: Constant = { kind: 'call', name: 'timestamp', arguments: [date] };
  const day: readonly Constant[] = [
    { kind: 'literal', type: { kind: 'INT64' }, value: 1n },
    { kind: 'keyword', name: 'DAY' },
  ];
  const end: Constant = {
    kind: 'call',
    name: 'timestamp',
    arguments: [{ kind: 'call', name: 'date_add', arguments: [date, ...day] }],
  };
  switch (operator) {
    case '>=':
      return [{ operator: '>=', time: begin }];
    case '>':
      return [{ operator: '>=', time: end }];
    case '<':
      return [{ operator: '<', time: begin }];
    case '<=':
      return [{ operator: '<', time: end }];
    case '=':
      return [
        { operator: '>=', time: begin },
        { operator: '<', time: end },
      ];
  }
}

function isTimeColumn(expression: AnyNode, isTime: (column: string) => boolean): boolean {
  const { kind, message } = unwrap(expression);
  return kind === 'resolved_column_ref_node' && isTime(idOf(message.column));
}

function isDateOfTime(expression: AnyNode, isTime: (column: string) => boolean): boolean {
  const call = callOf(expression);
  const [argument, zone] = call?.arguments ?? [];
  if (call?.name === 'date' && argument !== undefined && zone === undefined)
    return isTimeColumn(argument, isTime);
  const { kind, message } = unwrap(expression);
  if (kind !== 'resolved_cast_node' || typeOf(expression).kind !== 'DATE') return false;
  if (isPopulated(message.format) || isPopulated(message.time_zone)) return false;
  return isTimeColumn(message.expr as AnyNode, isTime);
}

/** Whether a condition has bounds at all. */
export function hasBounds(condition: Condition): boolean {
  switch (condition.kind) {
    case 'bounds':
      return condition.bounds.length > 0;
    case 'and':
    case 'or':
      return condition.parts.some(hasBounds);
    case 'case':
      return condition.branches.some(
        ({ when, result }) => hasBounds(result) || (when !== undefined && hasBounds(when)),
      );
    default:
      return false;
  }
}

/** The bounds of the times of all rows that meet a condition, with the values of a run. */
export function boundsOf(condition: Condition, known: KnownValues): readonly TimeBound[] {
  switch (condition.kind) {
    case 'bounds':
      return condition.bounds;
    case 'and':
      return condition.parts.flatMap((part) => boundsOf(part, known));
    case 'or': {
      const open = condition.parts.filter((part) => {
        const value = truthOf(part, known);
        return value !== false && value !== null;
      });
      const [only] = open;
      return open.length === 1 && only !== undefined ? boundsOf(only, known) : [];
    }
    case 'case': {
      for (const { when, result } of condition.branches) {
        const value = when === undefined ? true : truthOf(when, known);
        if (value === true) return boundsOf(result, known);
        if (value === undefined) return [];
      }
      return [];
    }
    default:
      return [];
  }
}

/**
 * The bounds within which a condition is true, and outside of which it isn't, with the values of a run. Undefined if there are none,
 * or other things decide, too.
 */
export function exactBoundsOf(condition: Condition, known: KnownValues): readonly TimeBound[] | undefined {
  switch (condition.kind) {
    case 'bounds':
      return condition.isExact ? condition.bounds : undefined;
    case 'constant':
      return truthOf(condition, known) === true ? [] : undefined;
    case 'and': {
      const parts = condition.parts.map((part) => exactBoundsOf(part, known));
      const exact = parts.filter((part) => part !== undefined);
      return exact.length === parts.length ? exact.flat() : undefined;
    }
    case 'or': {
      const open = condition.parts.filter((part) => {
        const value = truthOf(part, known);
        return value !== false && value !== null;
      });
      if (open.some((part) => truthOf(part, known) === true)) return [];
      const [only] = open;
      return open.length === 1 && only !== undefined ? exactBoundsOf(only, known) : undefined;
    }
    case 'case': {
      for (const { when, result } of condition.branches) {
        const value = when === undefined ? true : truthOf(when, known);
        if (value === true) return exactBoundsOf(result, known);
        if (value === undefined) return undefined;
      }
      return undefined;
    }
    default:
      return undefined;
  }
}

/** Whether only the time of a row, parameters and literals decide of a condition, and the clock only as a bound. */
export function isOfTime(condition: Condition): boolean {
  switch (condition.kind) {
    case 'bounds':
      return condition.isExact;
    case 'constant':
      return !asksClock(condition.value);
    case 'and':
    case 'or':
      return condition.parts.every(isOfTime);
    case 'case':
      return condition.branches.every(
        ({ when, result }) =>
          isOfTime(result) && (when === undefined || (when.kind === 'constant' && isOfTime(when))),
      );
    default:
      return false;
  }
}

/** Undefined if it depends on the row, or isn't known. */
function truthOf(condition: Condition, known: KnownValues): boolean | null | undefined {
  switch (condition.kind) {
    case 'constant': {
      const value = knownValue(condition.value, known);
      return typeof value === 'boolean' || value === null ? value : undefined;
    }
    case 'and':
    case 'or': {
      const decisive = condition.kind === 'or';
      const values = condition.parts.map((part) => truthOf(part, known));
      if (values.includes(decisive)) return decisive;
      if (values.includes(undefined)) return undefined;
      return values.includes(null) ? null : !decisive;
    }
    default:
      return undefined;
  }
}

/** A bound of a column as GoogleSQL. */
export function boundSql(column: string, { operator, time }: TimeBound): string {
  return `${identifier(column)} ${operator} ${sqlOf(time)}`;
}

/** The times between which bounds are, both included. Undefined if the gateway can't tell. */
export function spanOf(bounds: readonly TimeBound[], known: KnownValues): TimeSpan | undefined {
  let [lower, upper]: [bigint | undefined, bigint | undefined] = [undefined, undefined];
  for (const { operator, time } of bounds) {
    const value = knownValue(time, known);
    if (typeof value !== 'bigint') return undefined;
    if (operator !== '<' && operator !== '<=') lower = lower === undefined || value > lower ? value : lower;
    if (operator !== '>' && operator !== '>=') upper = upper === undefined || value < upper ? value : upper;
  }
  return { lower, upper };
}

interface TimeSpan {
  /** In microseconds since the epoch. */
  readonly lower: bigint | undefined;
  readonly upper: bigint | undefined;
}
