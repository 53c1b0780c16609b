import { identifier } from '../../text/identifier.ts';
import { formatType, type SqlType } from '../../values/type.ts';
import type { Aggregate, ChartClause, FilterClause, Period } from '../syntax/syntax.ts';
import { rowFilters } from './filters.ts';
import { type QueryScope, type ReachedField, reach, timeOf } from './query-scope.ts';
import { recordOf, resolvePath } from './resolve-path.ts';

const numeric: ReadonlySet<SqlType['kind']> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);

const incomparable: ReadonlySet<SqlType['kind']> = new Set(['JSON', 'GEOGRAPHY']);

/** Each percentile's index in APPROX_QUANTILES of 100. */
const percentiles: Readonly<Partial<Record<Aggregate, number>>> = { p50: 50, p95: 95, p99: 99 };

/**
 * The query of a chart: a number for each period that has rows, in order of time. Filters apply first. A filter on the
 * elements of a list counts a row once for each matching element, and an aggregate over list elements does the same.
 */
export function chartQuery(
  charts: readonly ChartClause[],
  filters: readonly FilterClause[],
  scope: QueryScope,
): string {
  // The last of several aggregates is used, but all must be valid.
  const measures = charts
    .filter((clause) => clause.kind === 'aggregate')
    .map((clause) => measure(clause, scope));
  const grouped = charts.findLast((clause) => clause.kind === 'group_by');
  const at = charts[0]?.at ?? 0;
  const measured = measures.at(-1) ?? measure({ aggregate: 'count', path: undefined, at }, scope);
  const conditions = rowFilters(filters, scope);
  const unnestings = [...conditions.flatMap(({ unnestings: lists }) => lists), ...measured.unnestings];
  return [
    `SELECT ${bucket(grouped?.period ?? 'minute', scope, at)} AS timestamp, ${measured.sql} AS ${measured.aggregate}`,
    `FROM ${identifier(scope.table)} AS ${scope.row}`,
    ...unnestings.map(({ list, alias }) => `INNER JOIN UNNEST(${list}) AS ${alias}`),
    ...(conditions.length > 0
      ? [`WHERE ${conditions.map(({ condition }) => condition).join('\n  AND ')}`]
      : []),
    'GROUP BY 1',
    'ORDER BY 1',
  ].join('\n');
}

function bucket(period: Period, scope: QueryScope, at: number): string {
  const { sql, type } = timeOf(scope, at);
  if (type.kind === 'DATE' && period !== 'day') {
    return scope.refuse(at, 'the column timestamp is a DATE: only charts by day are possible');
  }
  return `${type.kind}_TRUNC(${sql}, ${period.toUpperCase()})`;
}

interface Measure extends ReachedField {
  readonly aggregate: Aggregate;
}

type AggregateClause = Extract<ChartClause, { readonly kind: 'aggregate' }>;

function measure({ aggregate, path, at }: Omit<AggregateClause, 'kind'>, scope: QueryScope): Measure {
  const time = timeOf(scope, at).sql;
  if (path === undefined) {
    const sql = aggregate === 'countd' ? `COUNT(DISTINCT ${time})` : `COUNT(${time})`;
    return { aggregate, unnestings: [], sql };
  }
  const field = resolvePath(path, scope.columns, scope.refuse);
  // Rows are counted, whatever the field contains.
  if (aggregate === 'count') return { aggregate, unnestings: [], sql: `COUNT(${time})` };
  const { type } = field;
  if (recordOf(type) !== undefined || type.kind === 'ARRAY') {
    return scope.refuse(path.at, `${aggregate} needs a single value, and this is ${formatType(type)}`);
  }
  if (incomparable.has(type.kind)) {
    return scope.refuse(
      path.at,
      `${aggregate} needs values that can be compared, and this is ${formatType(type)}`,
    );
  }
  if ((aggregate === 'sum' || aggregate === 'avg') && !numeric.has(type.kind)) {
    return scope.refuse(path.at, `${aggregate} needs a number, and this is ${formatType(type)}`);
  }
  let depth = 0;
  const { unnestings, sql } = reach(field, scope.row, () => `c${++depth}`);
  return { aggregate, unnestings, sql: aggregated(aggregate, sql) };
}

function aggregated(aggregate: Aggregate, sql: string): string {
  const quantile = percentiles[aggregate];
  if (quantile !== undefined) return `APPROX_QUANTILES(${sql}, 100)[OFFSET(${quantile})]`;
  return aggregate === 'countd' ? `COUNT(DISTINCT ${sql})` : `${aggregate.toUpperCase()}(${sql})`;
}
