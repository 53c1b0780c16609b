import type { GraphQLResolveInfo } from 'graphql';
import type { AuthorisedCall } from '../../calls/authorised-call.ts';
import { answerTooLarge, maxAnswerBytes } from '../../engines/result-size.ts';
import type { ExecutorResult } from '../../executor/executor.ts';
import { noteCall, noteEndpoint, noteEngine } from '../../http/request-log-fields.ts';
import { redactRows } from '../../redaction/redact-result.ts';
import type { UsedFields } from '../../sql/used-fields.ts';
import type { Row } from '../../sql/value.ts';
import { sizeOf } from '../../sql/value-size.ts';
import type { GraphqlContext } from '../context.ts';
import { toGraphqlError } from '../graphql-error.ts';
import type { ArgumentShape } from '../shape/shape.ts';

/** The result of a call, redacted if required. */
export type CallOutcome = Pick<ExecutorResult, 'columns' | 'truncated'> & { readonly rows: readonly Row[] };

/**
 * Runs a call for a field, and records its outcome in the context.
 *
 * @param wanted the fields that are read of a row
 */
export async function runCall(
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  call: AuthorisedCall,
  wanted: UsedFields = 'all',
): Promise<CallOutcome> {
  const { signal, executor, answered, logFields } = context;
  noteEndpoint(logFields, call.endpoint.name);
  const onFailedRun = (engineMs: number) => noteEngine(logFields, engineMs);
  const result = await executor.execute(call, { wanted, signal, onFailedRun });
  const { columns, truncated, engineMs, cost, cache, cachedEntry } = result;
  const rows = await result.rows.all();
  countRows(context, rows);
  const { name } = call.endpoint;
  noteCall(logFields, { endpoint: name, cache: cache.status, rows: rows.length, engineMs });
  answered.push({
    path: pathText(info.path),
    endpoint: name,
    rows: rows.length,
    truncated,
    engineMs,
    ...(cost && { cost }),
    cache,
    ...(cachedEntry && { cachedEntry }),
  });
  return {
    columns,
    truncated,
    rows: await redactRows(rows, columns, call.hidden, signal, call.payer.account),
  };
}

/** Approximate bytes of a value in a response, including the name of its field. */
const valueBytes = 16;

/**
 * Adds the rows of one call to the size of the request's response.
 *
 * @throws GatewayError QUERY_FAILED when the response would become too large
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

/** Runs a field's resolver, and converts its errors to GraphQL errors. */
export async function reporting<T>(args: readonly ArgumentShape[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toGraphqlError(error, args);
  }
}
