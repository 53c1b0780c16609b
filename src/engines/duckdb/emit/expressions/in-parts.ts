import type { SqlType } from '../../../../sql/values/type.ts';
import { computed, type Expression, finished, totalWeight } from '../../dialect/expression.ts';
import { withNamedValues } from '../../macros/named-values.ts';
import { atCheckpoint, checkpointOf } from '../../udf/js/checkpoint.ts';
import { freeWork } from '../emitter/free-work.ts';

/** Nanoseconds of work between two checkpoints. */
const partWork = 80_000_000;
/** The number of values that DuckDB computes at once. */
const vectorSize = 2048;
/** The work for which a row counts once. */
const unitWork = Math.round(partWork / vectorSize);
/** The work of an element of a list whose elements are computed as one vector. */
const elementWork = 15_000;

/** The expressions around a call that is computed in parts. */
const partsWeight = 12;

type Emit = (args: readonly Expression[]) => Expression;

/**
 * Emits a call that may take long, so that a query can end before all rows of a vector are computed: DuckDB checks for an
 * interrupt only after each vector, of 2,048 rows. Rows of much work become lists of as many elements as they have units of
 * work, of which only the first is computed. DuckDB applies a lambda to 2,048 elements at once, so that few of these rows are
 * computed between two checkpoints. Other rows are computed as without it.
 *
 * @param work the work of a row in nanoseconds, as SQL
 * @param isInLambda whether DuckDB computes it for the elements of lists: it checks for no interrupt until those of 2,048 rows
 *   have been computed
 */
export function inParts(
  args: readonly Expression[],
  type: SqlType,
  work: (args: readonly Expression[]) => string | undefined,
  emit: Emit,
  isInLambda: boolean,
): Expression {
  const named = args.flatMap((argument, i) =>
    argument.constant === undefined ? [[`a${i}`, argument.sql]] : [],
  );
  const atOnceOnly = emit(args);
  if (work(args) === undefined || named.length === 0) return finished(atOnceOnly);
  const { finish } = atOnceOnly;
  const over = (values: Readonly<Record<string, string>>) =>
    args.map((argument, i): Expression => {
      const sql = values[`a${i}`];
      return sql === undefined ? argument : { ...argument, sql, weight: 1 };
    });
  const parts = (bound: readonly Expression[]) => {
    const elements = `list_transform(range(least(greatest(${work(bound)} // ${unitWork}, 1), ${vectorSize})),
      lambda turn: CASE WHEN turn = 0 THEN ${atCheckpoint('turn', emit(bound).sql)} END)`;
    return `list_extract(${elements}, 1)`;
  };
  const atOnce = (given: readonly Expression[]) => {
    const { sql } = emit(given);
    return isInLambda ? atCheckpoint(varying(given), sql) : sql;
  };
  const isLong = (given: readonly Expression[]) => `${work(given)} > ${isInLambda ? elementWork : freeWork}`;
  const bound = (whole: (given: readonly Expression[]) => string) =>
    withNamedValues('b', Object.fromEntries(named), (values) => whole(over(values)));
  const isSimple = args.every(({ weight }) => weight <= 1);
  // The work of a NULL is NULL.
  const sql = isSimple
    ? `CASE WHEN ${isLong(args)} THEN ${bound(parts)} ELSE ${atOnce(args)} END`
    : bound((given) => `CASE WHEN ${isLong(given)} THEN ${parts(given)} ELSE ${atOnce(given)} END`);
  return finished({ ...computed(sql, type, partsWeight + totalWeight(args)), ...(finish && { finish }) });
}

/** A number that DuckDB can't know beforehand. */
function varying(args: readonly Expression[]): string {
  return isNull(args.find(({ constant }) => constant === undefined)?.sql ?? 'NULL');
}

const isNull = (sql: string) => `CAST(${sql} IS NULL AS BIGINT)`;

/** More calls than this are many. */
const manyCalls = 50;
/** Bytes that are read at once. */
const longText = 2_000;

/**
 * A fast call in a statement of many, with a checkpoint for long texts.
 *
 * @param size the size of the text that it reads, as SQL
 */
export function oneOfMany(call: Expression, size: string | undefined, calls: number): Expression {
  if (size === undefined || calls <= manyCalls) return call;
  const hasEnded = `${size} > ${longText} AND NOT ${checkpointOf(size)}`;
  return { ...call, sql: `CASE WHEN ${hasEnded} THEN NULL ELSE ${call.sql} END` };
}

/** The weight of an expression for which a checkpoint in each vector of elements is worth its time. */
const heavyElement = 8;

/**
 * The body of a lambda, with a checkpoint unless it is simple: see `isInLambda` of {@link inParts}.
 *
 * @param element the lambda's parameter
 */
export function ofElement({ sql, weight }: Pick<Expression, 'sql' | 'weight'>, element: string): string {
  return weight < heavyElement ? sql : atCheckpoint(isNull(element), sql);
}
