import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { z } from 'zod';
import { GatewayError } from '../../base/errors/errors.ts';
import { bySimilarity } from '../../base/text/suggest.ts';
import { callableShapes } from '../discovery/endpoints/describe-endpoint.ts';
import { invalidParams, ProtocolError, paramsOf, resourceNotFound } from './protocol-error.ts';
import { TableResources, tableTemplate } from './table-resources.ts';
import { callTool } from './tools/call-tool.ts';
import { type EndpointTool, toolsOf } from './tools/endpoint-tool.ts';
import type { McpParts, McpSession } from './tools/session.ts';
import { toolDefinition } from './tools/tool-definition.ts';
import { errorResult } from './tools/tool-result.ts';

const instructions = [
  'Each tool runs a stored SQL query, or an ad-hoc query over its tables. All of them only read.',
  'A result has the first rows, and says how many there are.',
  'TIMESTAMP columns are microseconds since 1970-01-01 00:00:00 UTC. In SQL, FORMAT_TIMESTAMP("%FT%TZ", ...) writes them as texts.',
].join(' ');

/** Requests before their parameters are checked: the SDK would answer wrong ones as if they were a defect of the server. */
const anyCall = z.looseObject({ method: z.literal('tools/call') });
const anyRead = z.looseObject({ method: z.literal('resources/read') });

/** One for all servers, which would each make their own: that costs a millisecond. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

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
  server.setRequestHandler(anyCall, (request, { signal }) => {
    const { name, arguments: values = {} } = paramsOf(CallToolRequestSchema, request);
    return answerCall(findTool(tools, name), values, signal);
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: new TableResources(shapes).list(),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [tableTemplate],
  }));
  server.setRequestHandler(anyRead, (request) => {
    const { uri } = paramsOf(ReadResourceRequestSchema, request);
    const found = new TableResources(shapes).read(uri);
    if (found !== undefined) return found;
    throw new ProtocolError(resourceNotFound, `There is no resource ${shown(uri)}.`);
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

/** @throws ProtocolError listing the tools, the most similar first */
function findTool(tools: readonly EndpointTool[], name: string): EndpointTool {
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((each) => each.name);
  const available = names.length === 0 ? 'none' : bySimilarity(name, names).slice(0, 10).join(', ');
  const message = `There is no tool ${shown(name)}; available: ${available}.`;
  throw new ProtocolError(invalidParams, message);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
