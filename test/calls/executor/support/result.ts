import type { CacheFacts, ExecutorResult } from '../../../../src/calls/executor/executor.ts';
import { bodies } from '../../../../src/calls/executor/flights/bodies.ts';
import type { EngineResult } from '../../../../src/engines/engine/engine.ts';
import { rowsInMemory } from '../../../../src/engines/rows/result-rows.ts';
import type { Row } from '../../../../src/sql/values/value.ts';

/** What an engine gives, with the rows themselves. */
export type PlainResult = Omit<EngineResult, 'rows'> & { readonly rows: readonly Row[] };

export async function plainResult(result: EngineResult): Promise<PlainResult> {
  return { ...result, rows: await result.rows.all() };
}

/** A result of an endpoint that isn't cached, unless the facts say otherwise. */
export function resultOf(
  { columns, rows, truncated, engineMs, cost }: PlainResult,
  facts: Partial<CacheFacts> = {},
): ExecutorResult {
  const now = Date.now();
  const cache: CacheFacts = { status: 'off', collapsed: false, madeAt: now, freshUntil: now, ...facts };
  return {
    columns,
    truncated,
    ...{ engineMs, queueMs: 0, planningMs: 0 },
    readAt: cache.madeAt - engineMs,
    rows: rowsInMemory(rows),
    bodies: bodies(),
    cache,
    ...(cost && { cost }),
  };
}
