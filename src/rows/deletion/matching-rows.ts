import { GatewayError } from '../../base/errors/errors.ts';
import type { Account } from '../../base/fairness/account.ts';
import type { TextPlanner } from '../../definitions/endpoints/plan-text.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { tableOfSource } from '../../definitions/sources/table-of-source.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { identifier } from '../../sql/text/identifier.ts';
import { packed } from '../../sql/values/packed.ts';
import { datetimeTextOfMicros } from '../../sql/values/value-text.ts';

/** The rows of a source that meet a condition. */
interface Condition {
  /** An expression in GoogleSQL over the columns of the source. */
  readonly where: string;
  /** Only rows before this time, in microseconds since the epoch. */
  readonly before: bigint | undefined;
}

/** The line of the condition in the queries: its first, so that places in it have a column only. */
const conditionLine = 2;

/**
 * Plans the query for the `id` and `timestamp` of rows that meet a condition.
 *
 * @param catalog with the source alone
 * @param account whose turn it is at the analyzer
 * @throws GatewayError BAD_USER_INPUT if the condition is not one expression of type BOOL over the source
 */
export async function planMatchingRows(
  source: Source,
  { where, before }: Condition,
  catalog: Catalog,
  planner: TextPlanner,
  account: Account,
  signal: AbortSignal,
): Promise<Plan> {
  const table = `logs.${identifier(tableOfSource(source))}`;
  const plan = async (sql: string) => {
    const text = { sql, declared: new Map(), hasTables: false, catalog: packed(catalog), account };
    const { plan, mistake } = await planner.planText(text, signal);
    if (plan !== undefined) return plan;
    throw wrongCondition(mistake?.message ?? 'it cannot be planned', mistake?.position);
  };
  // A text that closes one kind of bracket, and opens it again, does not fit into the other one.
  await plan(`SELECT ARRAY_LENGTH([\n${where}\n]) FROM ${table}`);
  const time = before === undefined ? 'TRUE' : `timestamp < TIMESTAMP '${datetimeTextOfMicros(before)}+00'`;
  return plan(`SELECT id, timestamp FROM ${table} WHERE ${time} AND (\n${where}\n)`);
}

function wrongCondition(
  message: string,
  position: { readonly line: number; readonly column: number } | undefined,
): GatewayError {
  const line = position === undefined ? 0 : position.line - conditionLine + 1;
  const place = position === undefined || line < 1 ? '' : ` at ${line}:${position.column}`;
  return new GatewayError('BAD_USER_INPUT', `The condition is wrong${place}: ${message}`);
}
