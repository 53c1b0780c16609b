import { GatewayError } from '../../../base/errors/errors.ts';
import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import type { AnyNode } from '../../../sql/resolved/node.ts';
import { UnsupportedError } from '../../../sql/resolved/unsupported.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { emitQuery } from '../emit/emit-query.ts';
import type { EmitContext } from '../emit/emitter/context.ts';
import { TreeParameters } from '../fold/constant-table.ts';
import { Folder } from '../fold/folder.ts';
import { emitContext } from './emit-context.ts';
import { refuseLarge } from './planning-work.ts';
import { withinStack } from './within-stack.ts';

/** Placeholders that are valid as a number of rows or groups or as a fraction, unlike NULL. */
const likely: Partial<Record<SqlType['kind'], Value>> = { INT64: 1n, FLOAT64: 0.5 };

/**
 * Emits a plan without running it, to find unsupported constructs. Parameters have no values yet: `LIMIT @n`, which is
 * refused for some values only, is not refused here.
 *
 * @throws GatewayError QUERY_FAILED naming the construct that the embedded engine lacks
 */
export async function checkPlan(plan: Plan): Promise<void> {
  const emit = (values: ReadonlyMap<string, Value>) =>
    withinStack(() => {
      const context = emitContext(plan, values, 0n);
      const { folded, isFinal } = foldedAlone(statementOf(plan), context);
      const { sql } = emitQuery(folded, context);
      if (isFinal) refuseAlways(sql);
    });
  try {
    await emit(new Map());
  } catch (error) {
    const others = likelyValues(plan);
    if (others.size === 0) throw error;
    await emit(others);
  }
}

/**
 * The statement as far as its constants are known without an engine.
 *
 * @returns `isFinal` is whether a run has no other constants: its SQL has then the same size
 */
function foldedAlone(
  statement: AnyNode,
  { parameters }: EmitContext,
): { readonly folded: AnyNode; readonly isFinal: boolean } {
  let isFinal = true;
  const lookup = () => {
    isFinal = false;
    return undefined;
  };
  const folded = new Folder({ lookup, parameters: new TreeParameters(parameters) }).fold(statement);
  return isFinal ? { folded, isFinal } : { folded: statement, isFinal };
}

/** A query that is too large for every call is a construct that this engine can't run. */
function refuseAlways(sql: string): void {
  try {
    refuseLarge(sql);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new UnsupportedError(error.message, undefined);
  }
}

function likelyValues({ parameters }: Plan): Map<string, Value> {
  const values = [...parameters].map(([name, { kind }]) => [name, likely[kind] ?? null] as const);
  return new Map(values.filter(([, value]) => value !== null));
}
