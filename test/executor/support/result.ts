import type { EngineResult } from '../../../src/engines/engine.ts';
import { bodies } from '../../../src/executor/cache/bodies.ts';
import type { CacheFacts, ExecutorResult } from '../../../src/executor/executor.ts';

/** A result of an endpoint that isn't cached, unless the facts say otherwise. */
export function resultOf(
  { columns, rows, truncated, engineMs, cost }: EngineResult,
  facts: Partial<CacheFacts> = {},
): ExecutorResult {
  const now = Date.now();
  const cache: CacheFacts = { status: 'off', collapsed: false, madeAt: now, freshUntil: now, ...facts };
  return {
    columns,
    truncated,
    engineMs,
    rows: async () => rows,
    bodies: bodies(),
    cache,
    ...(cost && { cost }),
  };
}
