import type { GraphQLResolveInfo } from 'graphql';
import type { ExecutorCall, ExecutorResult } from '../../executor/executor.ts';
import { noteCall, noteEndpoint, noteEngine } from '../../http/request-facts.ts';
import { hiddenClasses } from '../../redaction/pii-class.ts';
import { redactedError } from '../../redaction/redact-error.ts';
import { rowRedactor } from '../../redaction/redact-rows.ts';
import type { Row } from '../../sql/value.ts';
import type { GraphqlContext } from '../context.ts';
import { toGraphqlError } from '../graphql-error.ts';
import type { ArgumentShape } from '../shape/shape.ts';

/** What a call gives to its field: redacted where that is asked for. */
export type CallOutcome = Pick<ExecutorResult, 'columns' | 'truncated'> & { readonly rows: readonly Row[] };

/** What a field calls. */
export type EndpointCall = Pick<ExecutorCall, 'endpoint' | 'parameters' | 'query'>;

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
  const { signal, caller, executor, calls, facts, redactPii } = context;
  const hidden = hiddenClasses(call.endpoint, redactPii || isAsked);
  noteEndpoint(facts, call.endpoint.name);
  const inVain = (engineMs: number) => noteEngine(facts, engineMs);
  const result = await executor.execute({ ...call, caller, signal, inVain }).catch((thrown) => {
    throw redactedError(thrown, hidden);
  });
  const { columns, truncated, engineMs, cost, cache, held } = result;
  const rows = await result.rows();
  const { name } = call.endpoint;
  noteCall(facts, { endpoint: name, cache: cache.status, rows: rows.length, engineMs });
  calls.push({
    path: pathText(info.path),
    endpoint: name,
    rows: rows.length,
    truncated,
    engineMs,
    ...(cost && { cost }),
    cache,
    ...(held && { held }),
  });
  return { columns, truncated, rows: hidden.length > 0 ? rows.map(rowRedactor(columns, hidden)) : rows };
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
