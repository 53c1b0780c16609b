import { GatewayError } from '../../base/errors/errors.ts';
import type { CallableFunction } from '../../sql/analyzer/callable-functions.ts';
import { AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';

/**
 * Returns a function that lists what ad-hoc queries can call. The list is read once.
 *
 * @param list the functions that the analyzer knows
 * @param hasFunction whether the engine has a function, by its upper-case name
 * @returns it throws a GatewayError BACKEND_UNAVAILABLE without an analyzer
 */
export function offeredFunctions(
  list: () => Promise<readonly CallableFunction[]>,
  hasFunction: (name: string) => boolean,
): () => Promise<readonly CallableFunction[]> {
  let read: Promise<readonly CallableFunction[]> | undefined;
  return () => {
    read ??= list().then(
      (functions) => functions.filter(({ name }) => hasFunction(name)),
      (error: unknown) => {
        read = undefined;
        if (!(error instanceof AnalyzerUnavailableError)) throw error;
        throw new GatewayError('BACKEND_UNAVAILABLE', error.message, { cause: error, retryAfterSeconds: 1 });
      },
    );
    return read;
  };
}
