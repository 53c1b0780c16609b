import type { IncomingHttpHeaders } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { parsedJson } from '../../base/text/parsed-json.ts';
import { invalidRequest, mcpServer } from './mcp-server.ts';
import type { McpParts, McpSession } from './tools/call-tool.ts';

/** The headers that the transport reads. */
const readHeaders = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/** The most messages of a batch, which counts as one request for rate limits. */
const maxBatch = 10;

/**
 * Answers a message or a batch of them over HTTP, by the SDK's transport: an error in the form of JSON-RPC for text that isn't
 * a message, headers that it doesn't accept, or an unknown method. The answer to a batch is an array, unless it has only one
 * message.
 *
 * @param text the body of the request
 * @returns an empty body for messages that need no answer
 */
export async function answerMessage(
  text: string,
  headers: IncomingHttpHeaders,
  parts: McpParts,
  session: McpSession,
): Promise<{ readonly status: number; readonly body: string }> {
  const message = parsedJson(text);
  const batch = Array.isArray(message) ? message.map(envelopeOf) : undefined;
  const problem = batch && problemOf(batch);
  if (problem !== undefined) return { status: 400, body: invalidRequestText(problem) };
  const server = mcpServer(parts, session);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const given = readHeaders.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  // The transport ignores the URL.
  const request = new Request('http://localhost/mcp', { method: 'POST', headers: given, body: text });
  // A cancelled request of the same batch would never be answered.
  const parsedBody = batch?.filter(({ method }) => method !== 'notifications/cancelled') ?? message;
  const response = await transport.handleRequest(request, { parsedBody });
  return { status: response.status, body: await response.text() };
}

/** The members of a message that the check of a batch reads. */
interface Envelope {
  readonly id?: unknown;
  readonly method?: unknown;
}

/** A value that isn't an object has none. The transport reports it. */
function envelopeOf(message: unknown): Envelope {
  return typeof message === 'object' && message !== null ? message : {};
}

function problemOf(batch: readonly Envelope[]): string | undefined {
  if (batch.length === 0) return 'The batch is empty.';
  if (batch.length > maxBatch) return `A batch can have at most ${maxBatch} messages.`;
  const ids = batch.flatMap(({ id, method }) => (id === undefined || method === undefined ? [] : [id]));
  if (new Set(ids).size < ids.length) return 'Two requests of the batch have the same id.';
  return undefined;
}

function invalidRequestText(message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code: invalidRequest, message }, id: null });
}
