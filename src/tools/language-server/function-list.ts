import { engineOf } from '../../app/engines/registry.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import { offeredFunctions } from '../../calls/sandbox/offered-functions.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { FunctionList } from './endpoint-help.ts';
import { describeFunction } from './markdown/describe.ts';

/**
 * Returns a function that lists the functions of the engine. The list is read once.
 *
 * @returns it throws a GatewayError BACKEND_UNAVAILABLE or an AnalyzerUnavailableError without an analyzer
 */
export function functionList(
  planner: Pick<Planner, 'listFunctions' | 'functionSignatures'>,
  config: Pick<Config, 'engine'>,
): () => Promise<FunctionList> {
  const list = offeredFunctions(() => planner.listFunctions(), engineOf(config).hasFunction);
  let read: Promise<FunctionList> | undefined;
  const readAll = async () => {
    const signatures = await planner.functionSignatures();
    const descriptions = new Map([...signatures].map(([name, own]) => [name, describeFunction(own)]));
    const functions = await list();
    return {
      functions: functions.map(({ name, kind }) => ({
        name,
        detail: kind,
        description: descriptions.get(name),
      })),
      descriptions,
    };
  };
  return () => {
    read ??= readAll().catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };
}
