import { GatewayError } from '../../../base/errors/errors.ts';
import type { Problem } from '../../../base/errors/problem.ts';
import { jobOf } from '../../../calls/executor/job-of.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { EndpointPlaces } from '../../../definitions/endpoints/endpoint-places.ts';
import { coerceParameters } from '../../../definitions/endpoints/parameters/coerce.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { BigQueryEngine } from '../../../engines/bigquery/bigquery-engine.ts';
import { resultDrift } from '../../../engines/bigquery/values/result-drift.ts';
import type { Value } from '../../../sql/values/value.ts';

interface DryRunTools {
  readonly engine: Pick<BigQueryEngine, 'dryRun'>;
  readonly places: EndpointPlaces;
  /** Timeout of a dry run in milliseconds. */
  readonly timeoutMs: number;
}

/** BigQuery's result for an endpoint's query. */
interface DryRunEndpoint {
  readonly endpoint: Endpoint;
  /** The bytes that it would read. Undefined if BigQuery refuses it. */
  readonly bytes?: number;
  readonly problems: readonly Problem[];
}

export async function dryRunEndpoint(endpoint: Endpoint, tools: DryRunTools): Promise<DryRunEndpoint> {
  const { engine, places, timeoutMs } = tools;
  const { plan, maxRows, file } = endpoint;
  const parameters = exampleValues(endpoint.parameters);
  const problem = (text: string, place = places.locate(endpoint, [])): Problem => ({ file, ...place, text });
  try {
    const { bytesProcessed: bytes, fields } = await engine.dryRun({
      plan,
      parameters,
      maxRows,
      signal: new AbortController().signal,
      timeoutMs,
      job: jobOf({ endpoint, parameters }),
    });
    const drift = fields === undefined ? [] : resultDrift(plan.columns, fields);
    return { endpoint, bytes, problems: drift.map((text) => problem(`on BigQuery, ${text}`)) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { text, place } = refusal(error);
    return { endpoint, problems: [problem(text, place)] };
  }
}

/** BigQuery's message, at its position in the endpoint's file. Users of this command may see the names of tables. */
function refusal(error: GatewayError) {
  const [at, line, column] = /\s*\[at (\d+):(\d+)\]/.exec(error.message) ?? [];
  if (at !== undefined) {
    const text = `BigQuery: ${error.message.replace(at, '')}`;
    return { text, place: { line: Number(line), column: Number(column) } };
  }
  const { cause } = error;
  return { text: cause instanceof Error ? `BigQuery: ${cause.message}` : error.message };
}

/** Values for a dry run: each parameter's example, else its default, else its first allowed value, else NULL. */
function exampleValues(parameters: readonly EndpointParameter[]): ReadonlyMap<string, Value> {
  const optional = parameters.map((parameter) => ({ ...parameter, required: false }));
  return coerceParameters({ parameters: optional }, new Map(parameters.map(exampleOf)));
}

function exampleOf({ name, type, example, default: used, values }: EndpointParameter) {
  const first = values?.[0];
  const text = example ?? used ?? (first !== undefined && type.kind === 'ARRAY' ? [first] : first);
  return [name, text ?? null] as const;
}
