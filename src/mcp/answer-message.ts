import type { IncomingHttpHeaders } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { mcpServer } from './mcp-server.ts';
import type { McpParts, McpSession } from './session.ts';

/** The headers that the transport reads. */
const readHeaders = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/**
 * Answers one message over HTTP, by the SDK's transport: an error in the form of JSON-RPC for text that isn't a message,
 * headers that it doesn't accept, or an unknown method.
 *
 * @param message the body of the request
 * @returns an empty body for a message that needs no answer
 */
export async function answerMessage(
  message: string,
  headers: IncomingHttpHeaders,
  parts: McpParts,
  session: McpSession,
): Promise<{ readonly status: number; readonly body: string }> {
  const server = mcpServer(parts, session);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const given = readHeaders.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  // The transport reads nothing of the address.
  const request = new Request('http://localhost/mcp', { method: 'POST', headers: given, body: message });
  const response = await transport.handleRequest(request);
  return { status: response.status, body: await response.text() };
}
