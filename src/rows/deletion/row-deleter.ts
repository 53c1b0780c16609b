import { GatewayError } from '../../base/errors/errors.ts';
import { type Account, ownAccount } from '../../base/fairness/account.ts';
import { FairLimit } from '../../base/fairness/fair-limit.ts';
import type { TextPlanner } from '../../definitions/endpoints/plan-text.ts';
import { rowKeyColumns, rowKeys } from '../../definitions/sources/pseudo-columns.ts';
import { isReference } from '../../definitions/sources/row-key.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { sqlOfSource } from '../../definitions/sources/source.ts';
import { type WritableSources, writableSource } from '../../definitions/sources/writable-sources.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { packed } from '../../sql/values/packed.ts';
import { datetimeTextOfMicros } from '../../sql/values/value-text.ts';
import type { RowRemover } from './row-remover.ts';

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
 * Plans the query for the keys of rows that meet a condition.
 *
 * @param catalog with the source alone
 * @param account whose turn it is at the analyzer
 * @throws GatewayError BAD_USER_INPUT if the condition is not one expression of type BOOL over the source
 */
async function planMatchingRows(
  source: Source,
  { where, before }: Condition,
  catalog: Catalog,
  planner: TextPlanner,
  account: Account,
  signal: AbortSignal,
): Promise<Plan> {
  const table = sqlOfSource(source);
  const plan = async (sql: string) => {
    const text = { sql, declared: new Map(), hasTables: false, catalog: packed(catalog), account };
    const { plan, mistake } = await planner.planText(text, signal);
    if (plan !== undefined) return plan;
    throw wrongCondition(mistake?.message ?? 'it cannot be planned', mistake?.position);
  };
  // A text that closes one kind of bracket, and opens it again, does not fit into the other one.
  await plan(`SELECT ARRAY_LENGTH([\n${where}\n]) FROM ${table}`);
  const { id, time } = rowKeyColumns;
  const isBefore = before === undefined ? 'TRUE' : `${time} < TIMESTAMP '${datetimeTextOfMicros(before)}+00'`;
  return plan(`SELECT ${id} AS id, ${time} AS time FROM ${table} WHERE ${isBefore} AND (\n${where}\n)`);
}

/** The catalog with the columns that identify rows. */
function withKeys({ tables, ...others }: Catalog): Catalog {
  return {
    ...others,
    tables: tables.map(({ pseudoColumns = [], ...table }) => ({
      ...table,
      pseudoColumns: [...pseudoColumns, ...rowKeys],
    })),
  };
}

function wrongCondition(
  message: string,
  position: { readonly line: number; readonly column: number } | undefined,
): GatewayError {
  const line = position === undefined ? 0 : position.line - conditionLine + 1;
  const place = position === undefined || line < 1 ? '' : ` at ${line}:${position.column}`;
  return new GatewayError('BAD_USER_INPUT', `The condition is wrong${place}: ${message}`);
}

/** Rows to delete: those before a time, those that meet a condition, or those to which both apply. */
export interface Deletion {
  /** The name or alias of the source. */
  readonly source: string;
  /** Microseconds since the epoch. */
  readonly before: bigint | undefined;
  /** An expression in GoogleSQL over the columns of the source. */
  readonly where: string | undefined;
  /** Whether rows are only counted. */
  readonly isDryRun: boolean;
  /** The sources of which the caller may delete rows; by default, all. */
  readonly writable?: WritableSources;
}

/**
 * Deletes rows. Returns how many. One deletion runs at a time.
 *
 * @param account whose turn it is when deletions wait; by default, the gateway's
 * @throws GatewayError BAD_USER_INPUT for a wrong condition or without any limit, NOT_FOUND for an unknown source,
 *   FORBIDDEN for one that is not for the caller
 */
export type DeleteRows = (deletion: Deletion, signal: AbortSignal, account?: Account) => Promise<number>;

interface DeleterParts {
  /** The current sources. */
  readonly sources: () => readonly Source[];
  readonly catalogOf: (source: Source) => Catalog;
  readonly planner: TextPlanner;
  /** Whether the engine can run a plan. */
  readonly prepare: (plan: Plan, signal: AbortSignal) => Promise<void>;
  readonly remover: RowRemover;
  /** Called after rows were deleted: cached results may have them. */
  readonly onDeleted: () => Promise<unknown>;
}

export function rowDeleter({
  sources,
  catalogOf,
  planner,
  prepare,
  remover,
  onDeleted,
}: DeleterParts): DeleteRows {
  const turns = new FairLimit();
  const remove = async (
    { source: name, before, where, isDryRun, writable }: Deletion,
    account: Account,
    signal: AbortSignal,
  ): Promise<number> => {
    const source = writableSource(sources(), name, writable);
    if (before !== undefined && isReference(source))
      throw new GatewayError(
        'BAD_USER_INPUT',
        `The rows of ${source.name} have no times. Say which rows by a condition.`,
      );
    let deleted: number;
    if (where !== undefined) {
      const condition = { where, before };
      const plan = await planMatchingRows(
        source,
        condition,
        withKeys(catalogOf(source)),
        planner,
        account,
        signal,
      );
      await prepare(plan, signal);
      deleted = await remover.remove(source.name, { plan }, isDryRun, signal);
    } else if (before !== undefined) {
      deleted = await remover.remove(source.name, { before }, isDryRun, signal);
    } else {
      throw new GatewayError('BAD_USER_INPUT', 'Say which rows: by a time, a condition, or both.');
    }
    if (!isDryRun && deleted > 0) await onDeleted();
    return deleted;
  };
  return (deletion, signal, account = ownAccount) =>
    turns.run(account, () => remove(deletion, account, signal), signal);
}
