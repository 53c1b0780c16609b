import { GatewayError } from '../../base/errors/errors.ts';
import type { engines } from '../../definitions/settings/config.ts';
import { refusedFunctions } from '../../engines/duckdb/functions/refused-functions.ts';
import type { CallableFunction } from '../../sql/analyzer/callable-functions.ts';
import { AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';

/** Only BigQuery has functions of geographies. */
const ofGeographies = /^(?:ST|S2)_/;

/** What the analyzer knows and BigQuery lacks: neither engine has it. */
const foreign: ReadonlySet<string> = new Set(Object.keys(refusedFunctions).map((name) => name.toUpperCase()));

/**
 * Returns a function that lists what ad-hoc queries can call. The list is read once.
 *
 * @param list the functions that the analyzer knows
 * @returns it throws a GatewayError BACKEND_UNAVAILABLE without an analyzer
 */
export function offeredFunctions(
  list: () => Promise<readonly CallableFunction[]>,
  engine: (typeof engines)[number],
): () => Promise<readonly CallableFunction[]> {
  let read: Promise<readonly CallableFunction[]> | undefined;
  const isOffered = ({ name }: CallableFunction) =>
    !foreign.has(name) && (engine === 'bigquery' || !ofGeographies.test(name));
  return () => {
    read ??= list().then(
      (functions) => functions.filter(isOffered),
      (error: unknown) => {
        read = undefined;
        if (!(error instanceof AnalyzerUnavailableError)) throw error;
        throw new GatewayError('BACKEND_UNAVAILABLE', error.message, { cause: error, retryAfterSeconds: 1 });
      },
    );
    return read;
  };
}
