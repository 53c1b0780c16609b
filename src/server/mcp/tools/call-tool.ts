import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { GatewayError } from '../../../base/errors/errors.ts';
import { adHocQueryOf } from '../../../calls/call/ad-hoc-query.ts';
import type { Reads } from '../../../calls/call/authorised-call.ts';
import { Call } from '../../../calls/call.ts';
import { coerceParameters } from '../../../definitions/endpoints/parameters/coerce.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { GivenParameters } from '../../../definitions/endpoints/parameters/given.ts';
import { type EndpointTool, maxRowsParameter, rowsByDefault } from './endpoint-tool.ts';
import { firstRows } from './first-rows.ts';
import { givenArguments } from './given-arguments.ts';
import { howToShorten } from './how-to-shorten.ts';
import type { McpParts, McpSession } from './session.ts';
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
  { calls }: McpParts,
  session: McpSession,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { endpoint } = tool.shape;
  const { caller, payer, redacts: asksForRedaction, logFields, hold } = session;
  const given = givenArguments(tool.parameters, values);
  const reads = tool.isAdHoc ? () => adHocReads(given) : undefined;
  const request = { caller, payer, endpoint, given, reads, asksForRedaction, logFields, hold };
  const call = Call.authorise(request, calls);
  const maxRows = wantedRows(tool, given);
  using answer = await call.execute({ signal });
  const texts = await firstRows(answer.rows, { maxRows, advice: howToShorten(tool) }, signal);
  answer.noteLeftOut(answer.rows.count - texts.length);
  return rowsResult(tool, answer.rows, texts, maxRows);
}

/** @throws GatewayError BAD_USER_INPUT unless there is one query */
function adHocReads(given: GivenParameters): Reads {
  const query = adHocQueryOf(given);
  if (query?.language === 'sql' && given.get('lql')) {
    throw new GatewayError('BAD_USER_INPUT', 'Give either "sql" or "lql", not both.', { parameter: 'lql' });
  }
  if (query !== undefined) return { query };
  throw new GatewayError('BAD_USER_INPUT', 'Give a query in "sql" or "lql".', { parameter: 'sql' });
}

function wantedRows({ shape: { endpoint } }: EndpointTool, given: GivenParameters): number {
  const parameter: EndpointParameter | undefined = maxRowsParameter(endpoint);
  if (parameter === undefined) return rowsByDefault(endpoint);
  return Number(coerceParameters({ parameters: [parameter] }, given).get(parameter.name));
}
