import { GatewayError } from '../../base/errors/errors.ts';
import { UsageError } from '../../base/errors/usage-error.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import { pickWanted, wantedKeys } from '../../server/rest/parameters/text-pairs.ts';
import type { Value } from '../../sql/values/value.ts';

/** The options of commands that call an endpoint. */
export interface CallOptions {
  /** The parameters of the call, each as `name=value`. */
  readonly param?: readonly string[];
  /** An ad-hoc query instead of the stored one, in GoogleSQL or LQL. */
  readonly sql?: string;
  readonly lql?: string;
}

/** @throws UsageError for an option without `=` */
export function pairsOf({ param = [] }: CallOptions): (readonly [name: string, value: string])[] {
  return param.map((pair) => {
    const equals = pair.indexOf('=');
    if (equals <= 0) throw new UsageError(`--param ${pair}: expected name=value`);
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

/** The ad-hoc query of a call, if it has one. */
export function adHocQueryOf({
  sql,
  lql,
}: CallOptions): { language: 'sql' | 'lql'; text: string } | undefined {
  if (sql !== undefined) return { language: 'sql', text: sql };
  return lql === undefined ? undefined : { language: 'lql', text: lql };
}

/**
 * The values of a call's parameters.
 *
 * @throws UsageError naming the parameter that the endpoint lacks, or whose value is missing or invalid
 */
export function parametersOf(
  { name: endpoint, parameters }: Endpoint,
  options: CallOptions,
): Map<string, Value> {
  const pairs = pairsOf(options);
  for (const [name, value] of pairs) {
    if (parameters.some((parameter) => parameter.name === name)) continue;
    const forms = parameters.map((parameter) => `${parameter.name}=…`).join(', ') || 'none';
    throw new UsageError(`--param ${name}=${value}: ${endpoint} has no such parameter; available: ${forms}`);
  }
  try {
    return coerceParameters({ parameters }, pickWanted(pairs, wantedKeys(parameters)));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { parameter } = error.details;
    throw new UsageError(
      `${error.message}${parameter === undefined ? '' : ` Use --param ${parameter}=…`}`,
      error,
    );
  }
}
