import { engineOf } from '../../app/engines/registry.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import { offeredFunctions } from '../../calls/sandbox/offered-functions.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import type { CallableFunction } from '../../sql/analyzer/callable-functions.ts';
import { functionSignatures } from '../../sql/analyzer/function-signatures.ts';

export interface FunctionList {
  readonly functions: readonly CallableFunction[];
  /** By upper-case name. */
  readonly signatures: ReadonlyMap<string, readonly string[]>;
}

/**
 * Returns a function that lists the functions of the engine. The list is read once.
 *
 * @returns it throws a GatewayError BACKEND_UNAVAILABLE or an AnalyzerUnavailableError without an analyzer
 */
export function functionList(
  analyzer: Analyzer,
  config: Pick<Config, 'engine'>,
): () => Promise<FunctionList> {
  const list = offeredFunctions(
    () => new LocalPlanner(analyzer).listFunctions(),
    engineOf(config).hasFunction,
  );
  let read: Promise<FunctionList> | undefined;
  const readAll = async () => ({
    functions: await list(),
    signatures: await functionSignatures((method, request) => analyzer.call(method, request)),
  });
  return () => {
    read ??= readAll().catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };
}
