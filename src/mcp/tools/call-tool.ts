import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { authorise, authoriseTables } from '../../access/authorise.ts';
import { confinedError } from '../../access/confined-error.ts';
import type { EndpointParameter } from '../../endpoints/endpoint.ts';
import { coerceParameters } from '../../endpoints/parameters/coerce.ts';
import type { GivenParameters } from '../../endpoints/parameters/given.ts';
import { GatewayError } from '../../errors.ts';
import type { QueryText } from '../../executor/executor.ts';
import { noteCall, noteEndpoint, noteEngine } from '../../http/request-log-fields.ts';
import { hiddenClasses } from '../../redaction/pii-class.ts';
import { redactedError } from '../../redaction/redact-error.ts';
import { adHocQueryOf, queryText } from '../../sandbox/ad-hoc-query.ts';
import type { McpParts, McpSession } from '../session.ts';
import { type EndpointTool, maxRowsParameter, rowsByDefault } from './endpoint-tool.ts';
import { firstRows } from './first-rows.ts';
import { givenArguments } from './given-arguments.ts';
import { howToShorten } from './how-to-shorten.ts';
import { rowsResult } from './tool-result.ts';

/**
 * Runs a tool as REST runs a request: arguments are parsed by their types, checked against the caller's key, and rows are
 * redacted and rendered in the same way.
 *
 * @throws GatewayError; the signal's reason when it is aborted
 */
export async function callTool(
  tool: EndpointTool,
  values: Readonly<Record<string, unknown>>,
  { executor, adHocQueries }: McpParts,
  session: McpSession,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { endpoint } = tool.shape;
  const { caller, executorCaller, redacts, logFields } = session;
  noteEndpoint(logFields, endpoint.name);
  const given = authorise(caller, endpoint, givenArguments(tool.parameters, values));
  const parameters = coerceParameters(endpoint, given);
  const maxRows = wantedRows(tool, given);
  const hidden = hiddenClasses(endpoint, redacts);
  const text = tool.isAdHoc ? adHocText() : undefined;
  const result = await executor
    .execute({
      endpoint,
      parameters,
      ...(text && { text }),
      caller: executorCaller,
      signal,
      onFailedRun: (engineMs) => noteEngine(logFields, engineMs),
    })
    .catch((thrown) => {
      throw redactedError(confinedError(thrown, caller), hidden);
    });
  const { columns, cache, engineMs, cachedEntry, rows } = result;
  using _rows = session.hold?.(cachedEntry ?? rows, rows.bytes);
  const texts = await firstRows(
    result.rows,
    { columns, hidden, maxRows, advice: howToShorten(tool) },
    signal,
  );
  noteCall(logFields, { endpoint: endpoint.name, cache: cache.status, rows: texts.length, engineMs });
  return rowsResult(tool, result, texts, maxRows);

  function adHocText(): QueryText {
    const query = adHocQueryOf(given);
    if (query?.language === 'sql' && given.get('lql')) {
      throw new GatewayError('BAD_USER_INPUT', 'Give either "sql" or "lql", not both.', { parameter: 'lql' });
    }
    if (query === undefined) {
      throw new GatewayError('BAD_USER_INPUT', 'Give a query in "sql" or "lql".', { parameter: 'sql' });
    }
    return queryText(adHocQueries, endpoint, query, (tables) => authoriseTables(caller, tables));
  }
}

function wantedRows({ shape: { endpoint } }: EndpointTool, given: GivenParameters): number {
  const parameter: EndpointParameter | undefined = maxRowsParameter(endpoint);
  if (parameter === undefined) return rowsByDefault(endpoint);
  return Number(coerceParameters({ parameters: [parameter] }, given).get(parameter.name));
}
