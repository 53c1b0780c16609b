import type { Engine } from '../engines/engine.ts';
import type { Executor } from './executor.ts';

/** An executor that runs every call on the engine. */
export function engineExecutor(engine: Engine): Executor {
  return {
    execute: ({ endpoint, parameters, signal }) =>
      engine.run({ plan: endpoint.plan, parameters, maxRows: endpoint.maxRows, signal }),
  };
}
