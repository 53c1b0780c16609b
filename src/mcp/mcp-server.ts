import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { withoutKeys } from '../access/key/key-text.ts';
import { callableShapes } from '../discovery/describe-endpoint.ts';
import { GatewayError } from '../errors.ts';
import { bySimilarity } from '../text/suggest.ts';
import type { McpParts, McpSession } from './session.ts';
import { TableResources, tableTemplate } from './table-resources.ts';
import { callTool } from './tools/call-tool.ts';
import { type EndpointTool, toolsOf } from './tools/endpoint-tool.ts';
import { toolDefinition } from './tools/tool-definition.ts';
import { errorResult } from './tools/tool-result.ts';

const instructions = [
  'Each tool runs a stored SQL query, or an ad-hoc query over its tables. All of them only read.',
  'A result has the first rows, and says how many there are.',
  'TIMESTAMP columns are microseconds since 1970-01-01 00:00:00 UTC.',
].join(' ');

/** One for all servers, which would each make their own: that costs a millisecond. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Error code of the protocol for a resource that doesn't exist. */
const resourceNotFound = -32_002;

/**
 * A server of the Model Context Protocol for one caller. It has tools and resources for what the caller's key allows, and
 * treats everything else as if it did not exist.
 *
 * Source: https://modelcontextprotocol.io/specification/2025-11-25
 */
export function mcpServer(parts: McpParts, session: McpSession): Server {
  const shapes = callableShapes(session.caller, parts.shape);
  const tools = toolsOf(shapes);
  const server = new Server(
    { name: 'endpoint-gateway', version: '1' },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(toolDefinition) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const tool = findTool(tools, params.name);
    return answerCall(tool, params.arguments ?? {}, signal);
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: new TableResources(shapes).list(),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [tableTemplate],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const found = new TableResources(shapes).read(uri);
    if (found !== undefined) return found;
    throw new McpError(resourceNotFound, withoutKeys(`There is no resource ${shown(uri)}.`), { uri });
  });
  return server;

  async function answerCall(
    tool: EndpointTool,
    values: Readonly<Record<string, unknown>>,
    cancelled: AbortSignal,
  ): Promise<CallToolResult> {
    return session.withinTime(cancelled, async (signal) => {
      try {
        return await callTool(tool, values, parts, session, signal);
      } catch (thrown) {
        // Nobody waits for the result of a cancelled call.
        if (signal.aborted && !(thrown instanceof GatewayError)) throw thrown;
        return errorResult(session.disclose(thrown));
      }
    });
  }
}

/** @throws McpError listing the tools, the most similar first */
function findTool(tools: readonly EndpointTool[], name: string): EndpointTool {
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((each) => each.name);
  const available = names.length === 0 ? 'none' : bySimilarity(name, names).slice(0, 10).join(', ');
  const message = `There is no tool ${shown(name)}; available: ${available}.`;
  throw new McpError(ErrorCode.InvalidParams, withoutKeys(message));
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
