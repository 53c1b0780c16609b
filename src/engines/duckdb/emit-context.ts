import type { Plan } from '../../sql/plan.ts';
import type { Value } from '../../sql/value.ts';
import type { EmitContext } from './emit/context.ts';
import { tableSql } from './store/source-table.ts';

/** Stored queries name a source as `logs.<source>`. */
const sourcePrefix = 'logs.';

/**
 * What emitting a plan takes.
 *
 * @param values by parameter name as declared; an absent one is NULL
 * @param now microseconds since the epoch
 */
export function emitContext(plan: Plan, values: ReadonlyMap<string, Value>, now: bigint): EmitContext {
  return {
    parameters: new Map(
      [...plan.parameters].map(([name, type]) => [name, { type, value: values.get(name) ?? null }]),
    ),
    now,
    tableSql: (table) => {
      if (!table.startsWith(sourcePrefix)) throw new Error(`No table for ${table} in the store`);
      return tableSql(table.slice(sourcePrefix.length));
    },
  };
}
