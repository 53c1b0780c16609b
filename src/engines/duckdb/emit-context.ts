import { GatewayError } from '../../errors.ts';
import type { Source } from '../../sources/source.ts';
import { hasParameterOutsideEntries } from '../../sql/parameters-read.ts';
import type { Plan } from '../../sql/plan.ts';
import type { SqlType } from '../../sql/type.ts';
import type { Value } from '../../sql/value.ts';
import type { EmitContext } from './emit/context.ts';
import { Failure } from './functions-in-js/failure.ts';
import { writeJson } from './functions-in-js/json/json-value.ts';
import { parseJson } from './functions-in-js/json/parser.ts';
import { rowTables } from './store/row-table.ts';
import { tableSql } from './store/source-table.ts';

/** The source that a stored query's table stands for, where the store has it in its two tables. */
type SourceOf = (name: string) => Source | undefined;

/** Stored queries name a source as `logs.<source>`. */
const sourcePrefix = 'logs.';

/**
 * What emitting a plan takes.
 *
 * @param values by parameter name as declared; an absent one is NULL
 * @param now microseconds since the epoch
 * @throws GatewayError BAD_USER_INPUT for a JSON text that is no value of the type JSON
 */
export function emitContext(
  plan: Plan,
  values: ReadonlyMap<string, Value>,
  now: bigint,
  sourceOf: SourceOf = () => undefined,
): EmitContext {
  return {
    parameters: new Map(
      [...plan.parameters].map(([name, type]) => [
        name,
        { type, value: inItsForm(name, type, values.get(name) ?? null) },
      ]),
    ),
    now,
    hasBorder: plan.isCallers === true || hasParameterOutsideEntries(plan),
    tableSql: (table) => {
      if (!table.startsWith(sourcePrefix)) throw new Error(`No table for ${table} in the store`);
      const name = table.slice(sourcePrefix.length);
      const source = sourceOf(name);
      return source === undefined ? tableSql(name) : rowsOfBoth(source);
    },
  };
}

/** The rows of both tables, with row ids that differ. */
function rowsOfBoth(source: Source): string {
  const [flat, list] = rowTables(source);
  return `(SELECT rowid, ${flat.whole} FROM ${flat.sql} UNION ALL SELECT -1 - rowid AS rowid, ${list.whole} FROM ${list.sql})`;
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
