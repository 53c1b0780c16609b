import type { GraphQLResolveInfo } from 'graphql';
import { confinedError } from '../../access/confined-error.ts';
import type { ResultRows } from '../../engines/rows/result-rows.ts';
import type { ExecutorCall, ExecutorResult } from '../../executor/executor.ts';
import { noteCall, noteEndpoint, noteEngine } from '../../http/request-log-fields.ts';
import { hiddenClasses } from '../../redaction/pii-class.ts';
import { redactedError } from '../../redaction/redact-error.ts';
import { redactRows } from '../../redaction/redact-result.ts';
import type { Row } from '../../sql/value.ts';
import { sizeOf } from '../../sql/value-size.ts';
import type { AnswerMaking } from '../answer-making.ts';
import type { GraphqlContext } from '../context.ts';
import { toGraphqlError } from '../graphql-error.ts';
import type { ArgumentShape } from '../shape/shape.ts';

/** The result of a call, redacted if required. */
export type CallOutcome = Pick<ExecutorResult, 'columns' | 'truncated'> & {
  readonly rows: readonly Row[];
  /** Their approximate size in a response. */
  readonly bytes: number;
};

/** The part of an executor call that a field determines. */
export type EndpointCall = Pick<ExecutorCall, 'endpoint' | 'parameters' | 'query' | 'text' | 'wanted'>;

/**
 * Runs a call for a field, and records its outcome in the context.
 *
 * @param isAsked whether an argument asks for redaction; the request may ask for it as well
 */
export async function runCall(
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  call: EndpointCall,
  isAsked: boolean,
): Promise<CallOutcome> {
  const { signal, caller, keyHolder, executor, calls, logFields, redactPii, making } = context;
  const hidden = hiddenClasses(call.endpoint, redactPii || isAsked);
  noteEndpoint(logFields, call.endpoint.name);
  const onFailedRun = (engineMs: number) => noteEngine(logFields, engineMs);
  const run = () => executor.execute({ ...call, caller, signal, onFailedRun });
  const result = await making.call(run).catch((thrown) => {
    throw redactedError(confinedError(thrown, keyHolder), hidden);
  });
  const { columns, truncated, engineMs, cost, cache, cachedEntry } = result;
  making.hold(cachedEntry ?? result.rows, result.rows.bytes);
  const { rows, bytes } = await unpacked(result.rows, making);
  const { name } = call.endpoint;
  noteCall(logFields, { endpoint: name, cache: cache.status, rows: rows.length, engineMs });
  calls.push({
    path: pathText(info.path),
    endpoint: name,
    rows: rows.length,
    truncated,
    engineMs,
    ...(cost && { cost }),
    cache,
    ...(cachedEntry && { cachedEntry }),
  });
  return { columns, truncated, bytes, rows: await redactRows(rows, columns, hidden, signal) };
}

/** Approximate bytes of a value in a response, including the name of its field. */
const valueBytes = 16;

/**
 * The rows of one call, which are added to the request's response.
 *
 * @throws GatewayError QUERY_FAILED when the response would become too large; the signal's reason
 */
async function unpacked(packed: ResultRows, making: AnswerMaking) {
  const rows: Row[] = [];
  let bytes = 0;
  try {
    for await (const chunk of packed.chunks()) {
      const more = sizeOfRows(chunk);
      await making.add(more);
      bytes += more;
      for (const row of chunk) rows.push(row);
    }
  } catch (error) {
    making.remove(bytes);
    throw error;
  }
  if (making.isLarge) making.hold(rows, bytes);
  return { rows, bytes };
}

/** The approximate size of rows in a response. */
export function sizeOfRows(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + sizeOf(row, valueBytes), 0);
}

function pathText(path: GraphQLResolveInfo['path'] | undefined): string {
  if (path === undefined) return '';
  const before = pathText(path.prev);
  return before === '' ? String(path.key) : `${before}.${path.key}`;
}

/** Runs a field's resolver, and converts its errors to GraphQL errors. */
export async function reporting<T>(args: readonly ArgumentShape[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toGraphqlError(error, args);
  }
}
