import type { GraphQLResolveInfo } from 'graphql';
import type { Call } from '../../../calls/call.ts';
import { calledVersion } from '../../../calls/call-log.ts';
import type { ShownRows } from '../../../calls/executor/shown-rows.ts';
import type { PageOutcome } from '../../../calls/page-rows.ts';
import type { UsedFields } from '../../../sql/plan/used-fields.ts';
import type { Row } from '../../../sql/values/value.ts';
import { sizeOf } from '../../../sql/values/value-size.ts';
import type { AnswerMaking } from '../execution/answer-making.ts';
import type { GraphqlContext } from '../execution/context.ts';
import { toGraphqlError } from '../execution/graphql-error.ts';
import type { ArgumentShape } from '../shape/shape.ts';

/** The rows of a call, as the caller may see them. */
export type CallOutcome = Pick<ShownRows, 'columns' | 'truncated'> & {
  readonly rows: readonly Row[];
  /** Their approximate size in a response. */
  readonly bytes: number;
  /** Undefined if they are no page. */
  readonly page?: PageOutcome | undefined;
};

/**
 * Runs a call for a field, and records its outcome in the context.
 *
 * @param wanted the fields that are read of a row
 */
export async function runCall(
  { signal, answered, making }: GraphqlContext,
  info: GraphQLResolveInfo,
  call: Call,
  wanted: UsedFields = 'all',
): Promise<CallOutcome> {
  const answer = await making.call(() => call.execute({ signal, wanted }));
  const { page, engineMs, cost, slices, cache, cachedEntry } = answer;
  const { columns, truncated } = answer.rows;
  const { rows, bytes } = await unpacked(answer.rows.chunks(signal), making);
  answered.push({
    path: pathText(info.path),
    endpoint: call.endpoint.name,
    called: calledVersion(call.endpoint),
    rows: rows.length,
    truncated,
    engineMs,
    ...(cost && { cost }),
    ...(slices && { slices }),
    cache,
    ...(cachedEntry && { cachedEntry }),
  });
  return { columns, truncated, bytes, rows, page };
}

/** Approximate bytes of a value in a response, including the name of its field. */
const valueBytes = 16;

/**
 * The rows of one call, which are added to the request's response.
 *
 * @throws GatewayError QUERY_FAILED when the response would become too large; the signal's reason
 */
async function unpacked(chunks: AsyncIterable<readonly Row[]>, making: AnswerMaking) {
  // Most results have one chunk, which isn't copied.
  let rows: readonly Row[] = [];
  let gathered: Row[] | undefined;
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      const more = sizeOfRows(chunk);
      await making.add(more);
      bytes += more;
      if (gathered === undefined && rows.length === 0) rows = chunk;
      else {
        gathered ??= [...rows];
        for (const row of chunk) gathered.push(row);
        rows = gathered;
      }
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
  let sum = 0;
  for (const row of rows) sum += sizeOf(row, valueBytes);
  return sum;
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
