import type { Engine } from '../engines/engine.ts';
import type { Executor } from './executor.ts';

/** An executor that runs every call on the engine. */
export function engineExecutor(engine: Engine): Executor {
  return {
    execute: ({ endpoint, table, parameters, signal }) =>
      engine.run({
        plan: table?.plan ?? endpoint.plan,
        parameters,
        maxRows: table?.limit ?? endpoint.maxRows,
        signal,
      }),
  };
}
