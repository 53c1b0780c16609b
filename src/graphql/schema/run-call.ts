import type { GraphQLResolveInfo } from 'graphql';
import { confinedError } from '../../access/confined-error.ts';
import { answerTooLarge, maxAnswerBytes } from '../../engines/result-size.ts';
import type { ExecutorCall, ExecutorResult } from '../../executor/executor.ts';
import { noteCall, noteEndpoint, noteEngine } from '../../http/request-log-fields.ts';
import { hiddenClasses } from '../../redaction/pii-class.ts';
import { redactedError } from '../../redaction/redact-error.ts';
import { redactRows } from '../../redaction/redact-result.ts';
import type { Row } from '../../sql/value.ts';
import { sizeOf } from '../../sql/value-size.ts';
import type { GraphqlContext } from '../context.ts';
import { toGraphqlError } from '../graphql-error.ts';
import type { ArgumentShape } from '../shape/shape.ts';

/** What a call gives to its field: redacted where that is asked for. */
export type CallOutcome = Pick<ExecutorResult, 'columns' | 'truncated'> & { readonly rows: readonly Row[] };

/** What a field calls. */
export type EndpointCall = Pick<ExecutorCall, 'endpoint' | 'parameters' | 'query' | 'text' | 'wanted'>;

/**
 * Runs a call for a field, and notes in the context what became of it.
 *
 * @param isAsked whether an argument asks for redaction; the request may, too
 */
export async function runCall(
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  call: EndpointCall,
  isAsked: boolean,
): Promise<CallOutcome> {
  const { signal, caller, keyHolder, executor, calls, logFields, redactPii } = context;
  const hidden = hiddenClasses(call.endpoint, redactPii || isAsked);
  noteEndpoint(logFields, call.endpoint.name);
  const onFailedRun = (engineMs: number) => noteEngine(logFields, engineMs);
  const result = await executor.execute({ ...call, caller, signal, onFailedRun }).catch((thrown) => {
    throw redactedError(confinedError(thrown, keyHolder), hidden);
  });
  const { columns, truncated, engineMs, cost, cache, cachedEntry } = result;
  const rows = await result.rows.all();
  countRows(context, rows);
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
  return { columns, truncated, rows: await redactRows(rows, columns, hidden, signal) };
}

/** Bytes of a value in an answer, with the name of its field, about. */
const valueBytes = 16;

/**
 * Counts the rows of one call among those of the request.
 *
 * @throws GatewayError QUERY_FAILED when the answer would become too large
 */
function countRows({ answerSize }: GraphqlContext, rows: readonly Row[]): void {
  for (const row of rows) answerSize.bytes += sizeOf(row, valueBytes);
  if (answerSize.bytes > maxAnswerBytes) throw answerTooLarge();
}

function pathText(path: GraphQLResolveInfo['path'] | undefined): string {
  if (path === undefined) return '';
  const before = pathText(path.prev);
  return before === '' ? String(path.key) : `${before}.${path.key}`;
}

/** Does a field's work; a failure becomes one that GraphQL shows. */
export async function reporting<T>(args: readonly ArgumentShape[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toGraphqlError(error, args);
  }
}
