import { GatewayError } from '../../../base/errors/errors.ts';
import { isTablePath, sourceOfTable, tableOfPath } from '../../../definitions/sources/source.ts';
import { hasParameterOutsideEntries } from '../../../sql/plan/parameters-read.ts';
import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import { Failure } from '../../../sql/values/function-errors.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { fixed } from '../dialect/constant.ts';
import type { EmitContext } from '../emit/emitter/context.ts';
import { callCount } from '../emit/tree/call-count.ts';
import { isVolatile } from '../emit/volatile/is-volatile.ts';
import { flatTableSql } from '../store/tables/flat-layout.ts';
import { type KeySql, usualKey } from '../store/tables/key-sql.ts';
import { listTableSql } from '../store/tables/list-layout.ts';
import { writeJson } from '../udf/json/json-value.ts';
import { parseJson } from '../udf/json/parser.ts';

/**
 * Makes the context for emitting a plan.
 *
 * @param values by declared parameter name; an absent one is NULL
 * @param now microseconds since the epoch
 * @param keyOf the key of a source's rows, by its name
 * @throws GatewayError BAD_USER_INPUT for a text that is not a value of the type JSON
 */
export function emitContext(
  plan: Plan,
  values: ReadonlyMap<string, Value>,
  now: bigint,
  keyOf: KeyOfSource = () => usualKey,
): EmitContext {
  return {
    parameters: new Map(
      [...plan.parameters].map(([name, type]) => [
        name,
        fixed(inItsForm(name, type, values.get(name) ?? null)),
      ]),
    ),
    now: fixed(now),
    callCount: callCount(statementOf(plan)),
    isVolatile: isVolatile(statementOf(plan)),
    hasBorder: plan.isCallers || hasParameterOutsideEntries(plan),
    flatTableSql: (table) => flatTableSql(sourceName(table)),
    tableSql: (table) => listTableSql(sourceName(table)),
    keyOf: (table) => keyOf(sourceName(table)),
  };
}

/** Gives the key of a source's rows, by its name. */
export type KeyOfSource = (source: string) => KeySql;

/** The source with this name in a stored query. */
export function sourceName(table: string): string {
  if (!isTablePath(table)) throw new Error(`No table for ${table} in the store`);
  return sourceOfTable(tableOfPath(table)).name;
}

/** Normalises a parameter's value. BigQuery preserves neither the order of members nor the text of numbers in JSON. */
function inItsForm(name: string, type: SqlType, value: Value): Value {
  if (type.kind === 'ARRAY' && Array.isArray(value)) {
    return value.map((element: Value) => inItsForm(name, type.element, element));
  }
  if (type.kind !== 'JSON' || typeof value !== 'string') return value;
  try {
    return writeJson(parseJson(value, 'exact'));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new GatewayError('BAD_USER_INPUT', `Parameter "${name}": ${error.message}`, { parameter: name });
  }
}
