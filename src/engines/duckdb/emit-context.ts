import { GatewayError } from '../../errors.ts';
import { hasParameterOutsideEntries } from '../../sql/parameters-read.ts';
import type { Plan } from '../../sql/plan.ts';
import type { SqlType } from '../../sql/type.ts';
import type { Value } from '../../sql/value.ts';
import type { EmitContext } from './emit/context.ts';
import { flatTableSql } from './store/flat-layout.ts';
import { listTableSql } from './store/list-layout.ts';
import { Failure } from './udf/failure.ts';
import { writeJson } from './udf/json/json-value.ts';
import { parseJson } from './udf/json/parser.ts';

/** Stored queries name a source as `logs.<source>`. */
const sourcePrefix = 'logs.';

/**
 * What emitting a plan takes.
 *
 * @param values by parameter name as declared; an absent one is NULL
 * @param now microseconds since the epoch
 * @throws GatewayError BAD_USER_INPUT for a JSON text that is no value of the type JSON
 */
export function emitContext(plan: Plan, values: ReadonlyMap<string, Value>, now: bigint): EmitContext {
  return {
    parameters: new Map(
      [...plan.parameters].map(([name, type]) => [
        name,
        { type, value: inItsForm(name, type, values.get(name) ?? null) },
      ]),
    ),
    now,
    hasBorder: plan.isCallers || hasParameterOutsideEntries(plan),
    flatTableSql: (table) => flatTableSql(sourceName(table)),
    tableSql: (table) => listTableSql(sourceName(table)),
  };
}

/** The source that a stored query names. */
export function sourceName(table: string): string {
  if (!table.startsWith(sourcePrefix)) throw new Error(`No table for ${table} in the store`);
  return table.slice(sourcePrefix.length);
}

/** A parameter's value as the type writes it: of JSON, BigQuery keeps neither the order of members nor how numbers were written. */
function inItsForm(name: string, { kind }: SqlType, value: Value): Value {
  if (kind !== 'JSON' || typeof value !== 'string') return value;
  try {
    return writeJson(parseJson(value, 'exact'));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new GatewayError('BAD_USER_INPUT', `Parameter "${name}": ${error.message}`);
  }
}
