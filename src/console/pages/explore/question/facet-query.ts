import type { JsonObject } from '../../../api/json.ts';
import type { Facet, Filter } from './exploration.ts';
import type { ExploredTable, Reached } from './explored-table.ts';
import { partsOfPath, rowsWith } from './pieces.ts';

/** How many values a facet shows. */
const shownValues = 10;
/** About so many rows are counted for a facet: enough for shares of a thousandth, and read in a part of a second. */
const sampleRows = 150_000;

/**
 * One of how many rows a facet counts, when there are so many: 1 for all. It is prime, so that no rhythm in which rows are
 * written agrees with it. Days have no fractions to choose by.
 */
export function everyOf(rows: number, { columns, time }: ExploredTable): number {
  const isChosen = columns.some(({ name, type }) => name === time && type !== 'DATE');
  const least = rows / sampleRows;
  if (!isChosen || least <= 2) return 1;
  let every = Math.max(11, Math.ceil(least));
  while (!isPrime(every)) every += 1;
  return every;
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) return false;
  return true;
}

/**
 * The most frequent values of a field: columns `value` and `row_count`, and in each row the same facts of all values: how many
 * rows were counted in `counted`, `value_count`, `least` and `greatest`. NULL is the value of rows without one. A row with a
 * list of values counts once for each.
 *
 * @param field of `ofRow`
 * @param every of how many rows one is counted
 */
export function facetSql(
  table: ExploredTable,
  { parts }: Facet,
  field: Reached,
  conditions: readonly string[],
  every: number,
): string {
  const sampled = every === 1 ? [] : [`MOD(UNIX_MICROS(${table.timeSql}), ${every}) = 0`];
  const text = (sql: string) => (field.type === 'BYTES' ? `TO_BASE64(${sql})` : `CAST(${sql} AS STRING)`);
  return `SELECT ${text('value')} AS value, row_count, SUM(row_count) OVER () AS counted,
  COUNTIF(value IS NOT NULL) OVER () AS value_count,
  ${text('MIN(value) OVER ()')} AS least, ${text('MAX(value) OVER ()')} AS greatest
FROM (
  SELECT ${partsOfPath(field.sql, parts)} AS value, COUNT(*) AS row_count
  ${rowsWith(table, field, [...sampled, ...conditions], 'all')}
  GROUP BY value
)
ORDER BY row_count DESC, value
LIMIT ${shownValues}`;
}

/** A value with the rows that have it. */
export interface FacetValue {
  /** Null: these rows have none. */
  readonly value: string | null;
  readonly rows: number;
}

/** What is in a field. */
export interface FacetValues {
  readonly values: readonly FacetValue[];
  /** All rows that were counted. */
  readonly counted: number;
  /** How many values there are, apart from NULL, and the range of them. */
  readonly different: number;
  readonly least: string | null;
  readonly greatest: string | null;
}

/** Reads the rows of `facetSql`. */
export function facetValues(rows: readonly JsonObject[]): FacetValues {
  const [first] = rows;
  const text = (value: JsonObject[string] | undefined) => (typeof value === 'string' ? value : null);
  return {
    values: rows.map(({ value, row_count: count }) => ({ value: text(value), rows: Number(count) })),
    counted: Number(first?.counted ?? 0),
    different: Number(first?.value_count ?? 0),
    least: text(first?.least),
    greatest: text(first?.greatest),
  };
}

/** The filter for the rows of a value of a facet. */
export function facetFilter({ path, parts }: Facet, value: string | null): Filter {
  if (value === null) return { path, operator: 'missing', value: '' };
  // A shorter path has none below it.
  const hasAllParts = parts > 0 && value.split('/').length - (value.startsWith('/') ? 1 : 0) >= parts;
  return { path, operator: hasAllParts ? 'within' : '=', value };
}

/** The filter for all other rows. */
export function facetExclusion(facet: Facet, value: string | null): Filter {
  const filter = facetFilter(facet, value);
  const opposite = { missing: 'exists', within: 'outside' } as const;
  return { ...filter, operator: opposite[filter.operator as keyof typeof opposite] ?? '!=' };
}
