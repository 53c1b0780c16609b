import type { GraphQLResolveInfo } from 'graphql';
import type { AuthorisedCall } from '../../../calls/call/authorised-call.ts';
import type { ExecutorResult } from '../../../calls/executor/executor.ts';
import { redactRows } from '../../../calls/redaction/redact-result.ts';
import type { ResultRows } from '../../../engines/rows/result-rows.ts';
import type { UsedFields } from '../../../sql/plan/used-fields.ts';
import type { Row } from '../../../sql/values/value.ts';
import { sizeOf } from '../../../sql/values/value-size.ts';
import { noteCall, noteEndpoint, noteEngine } from '../../http/request/request-log-fields.ts';
import type { AnswerMaking } from '../execution/answer-making.ts';
import type { GraphqlContext } from '../execution/context.ts';
import { toGraphqlError } from '../execution/graphql-error.ts';
import type { ArgumentShape } from '../shape/shape.ts';

/** The result of a call, redacted if required. */
export type CallOutcome = Pick<ExecutorResult, 'columns' | 'truncated'> & {
  readonly rows: readonly Row[];
  /** Their approximate size in a response. */
  readonly bytes: number;
};

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
  const { signal, executor, answered, logFields, making } = context;
  noteEndpoint(logFields, call.endpoint.name);
  const onFailedRun = (engineMs: number) => noteEngine(logFields, engineMs);
  const result = await making.call(() => executor.execute(call, { wanted, signal, onFailedRun }));
  const { columns, truncated, engineMs, cost, cache, cachedEntry } = result;
  making.hold(cachedEntry ?? result.rows, result.rows.bytes);
  const { rows, bytes } = await unpacked(result.rows, making);
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
  const shown = await redactRows(rows, columns, call.hidden, signal, call.payer.account);
  return { columns, truncated, bytes, rows: shown };
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
