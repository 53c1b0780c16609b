/**
 * The syntax tree of an LQL text, clause by clause. `at` is the position of a part, in UTF-16 units from the start of
 * the text. It has no effect on the meaning.
 */
export interface LqlQuery {
  readonly clauses: readonly Clause[];
}

export type Clause = FromClause | SelectClause | ChartClause | FilterClause;

/** `f:edge_logs` */
export interface FromClause {
  readonly kind: 'from';
  readonly table: string;
  readonly at: number;
}

/** `s:*` or `s:m.request.path@path` */
export interface SelectClause {
  readonly kind: 'select';
  /** Undefined means all columns. */
  readonly path: Path | undefined;
  readonly alias?: string;
  readonly at: number;
}

export const aggregates = ['avg', 'countd', 'count', 'sum', 'max', 'p50', 'p95', 'p99'] as const;
export type Aggregate = (typeof aggregates)[number];

export const periods = ['second', 'minute', 'hour', 'day'] as const;
export type Period = (typeof periods)[number];

/** `c:avg(m.response.origin_time)`, `c:count(*)`, `c:group_by(t::hour)` */
export type ChartClause =
  | {
      readonly kind: 'aggregate';
      readonly aggregate: Aggregate;
      /** Undefined means `*`. */
      readonly path: Path | undefined;
      readonly at: number;
    }
  | { readonly kind: 'group_by'; readonly period: Period; readonly at: number };

export interface FilterClause {
  readonly kind: 'filter';
  readonly negated: boolean;
  readonly filter: Filter;
  readonly at: number;
}

export type Filter = MessageFilter | TimeFilter | LevelFilter | FieldFilter;

/** `error`, `"two words"`, `~re` */
export interface MessageFilter {
  readonly kind: 'message';
  readonly match: 'contains' | 'regexp';
  readonly text: string;
}

/** `t:…` */
export interface TimeFilter {
  readonly kind: 'time';
  readonly when: When;
}

/** `m.level:info..error` */
export interface LevelFilter {
  readonly kind: 'level';
  readonly from: Level;
  readonly to: Level;
  readonly path: Path;
}

export const levels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type Level = (typeof levels)[number];

/** `m.request.status:>=500` */
export interface FieldFilter {
  readonly kind: 'field';
  readonly path: Path;
  readonly test: FieldTest;
}

export type Comparison = '=' | '>' | '>=' | '<' | '<=';

export type FieldTest =
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly value: Text }
  /** Both ends are included. */
  | { readonly kind: 'between'; readonly from: Text; readonly to: Text }
  | { readonly kind: 'null' }
  | { readonly kind: 'regexp'; readonly pattern: Text }
  | { readonly kind: 'includes'; readonly value: Text }
  | { readonly kind: 'includes regexp'; readonly pattern: Text };

/** A value as written, quoted or not. Its type depends on the column that it is compared with. */
export interface Text {
  readonly text: string;
  readonly at: number;
}

/** The names between the dots. `m` is expanded to `metadata`. */
export interface Path {
  readonly names: readonly string[];
  /** The position of each name. */
  readonly places: readonly number[];
  readonly at: number;
}

export const timeUnits = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type TimeUnit = (typeof timeUnits)[number];

export const shortTimeUnits: ReadonlyMap<string, TimeUnit> = new Map([
  ['s', 'second'],
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
  ['mm', 'month'],
  ['y', 'year'],
]);

/** A time that selects rows. */
export type When =
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly time: Instant }
  /** Both ends are included. */
  | { readonly kind: 'between'; readonly from: Instant; readonly to: Instant }
  /** The current second. */
  | { readonly kind: 'now'; readonly comparison: Comparison }
  | { readonly kind: 'today' }
  | { readonly kind: 'yesterday' }
  /** From the start of the current unit to now. */
  | { readonly kind: 'this'; readonly unit: Exclude<TimeUnit, 'second'> }
  /** From the given number of units before the current one to now. */
  | { readonly kind: 'last'; readonly count: number; readonly unit: TimeUnit };

/** An instant, as it was written. */
export interface Instant {
  readonly form: 'date' | 'datetime' | 'zoned';
  /** Microseconds since 1970-01-01 00:00:00 UTC. */
  readonly micros: bigint;
}
