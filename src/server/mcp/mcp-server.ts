import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { z } from 'zod';
import { GatewayError } from '../../base/errors/errors.ts';
import { bySimilarity } from '../../base/text/suggest.ts';
import { version } from '../../base/version.ts';
import { withoutKeys } from '../../calls/access/key/key-text.ts';
import { describeEndpoint } from '../discovery/describe-endpoint.ts';
import { callableShapes } from '../graphql/shape/callable-shapes.ts';
import type { EndpointShape } from '../graphql/shape/shape.ts';
import type { McpParts, McpSession } from './tools/call-tool.ts';
import { callTool } from './tools/call-tool.ts';
import { type EndpointTool, toolsOf } from './tools/endpoint-tool.ts';
import { toolDefinition } from './tools/tool-definition.ts';
import { errorResult } from './tools/tool-result.ts';

const mimeType = 'application/json';

/** The form of the URIs of tables. */
const tableTemplate = {
  uriTemplate: 'endpoint://{endpoint}/tables/{table}',
  name: 'table',
  title: 'Table of an endpoint',
  description: 'The columns of a table that ad-hoc queries of an endpoint may read.',
  mimeType,
};

/**
 * The tables that ad-hoc queries may read, as resources by their URIs. Each contains the columns with their types.
 *
 * @param shapes the endpoints that the caller may call, with the tables that it may read
 */
class TableResources {
  readonly #tables = new Map<string, { readonly resource: Resource; readonly text: () => string }>();

  constructor(shapes: readonly EndpointShape[]) {
    for (const shape of shapes) {
      const { endpoint, tables } = shape;
      for (const { table } of tables?.tables ?? []) {
        const uri = `endpoint://${encodeURIComponent(endpoint.name)}/tables/${encodeURIComponent(table.name)}`;
        const resource = {
          uri,
          name: `${endpoint.name}/${table.name}`,
          description: `The columns of the table ${table.name}, which the tool ${tables?.queryField} queries.`,
          mimeType,
        };
        this.#tables.set(uri, { resource, text: () => columnsText(shape, table.name) });
      }
    }
  }

  /** All resources. */
  list(): Resource[] {
    return [...this.#tables.values()].map(({ resource }) => resource);
  }

  /** The content of a resource; undefined if there is none for the caller. */
  read(uri: string): ReadResourceResult | undefined {
    const text = this.#tables.get(uri)?.text();
    return text === undefined ? undefined : { contents: [{ uri, mimeType, text }] };
  }
}

function columnsText(shape: EndpointShape, name: string): string {
  const { tables, name: endpoint } = describeEndpoint(shape);
  const columns = tables.find((table) => table.name === name)?.columns;
  return JSON.stringify({ endpoint, table: name, tool: shape.tables?.queryField, columns });
}

const instructions = [
  'Each tool runs a stored SQL query, or an ad-hoc query over its tables. All of them only read.',
  'A result has the first rows, and says how many there are.',
  'TIMESTAMP columns are microseconds since 1970-01-01 00:00:00 UTC. In SQL, FORMAT_TIMESTAMP("%FT%TZ", ...) writes them as texts.',
].join(' ');

/** Requests with unchecked parameters. The SDK would report invalid ones as internal errors. */
const anyCall = z.looseObject({ method: z.literal('tools/call') });

const anyRead = z.looseObject({ method: z.literal('resources/read') });

/** Shared by all servers: making one takes a millisecond. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

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
    { name: 'endpoint-gateway', version },
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
    return session.withinTime(cancelled, async (signal, logFields) => {
      try {
        return await callTool(tool, values, parts, session, { signal, logFields });
      } catch (thrown) {
        // Nobody waits for the result of a cancelled call.
        if (signal.aborted && !(thrown instanceof GatewayError)) throw thrown;
        return errorResult(session.disclose(thrown));
      }
    });
  }
}

const invalidParams = -32_602;

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

/** Error codes of JSON-RPC and of the protocol. */
export const invalidRequest = -32_600;

/** An error that is the answer to a message, in place of a result. The SDK's own class puts the code into the message. */
class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(withoutKeys(message));
    this.code = code;
  }
}

/**
 * The parameters of a request.
 *
 * @throws ProtocolError naming what is missing or has another type
 */
function paramsOf<Params>(
  schema: { safeParse(request: unknown): z.ZodSafeParseResult<{ params: Params }> },
  request: unknown,
): Params {
  const outcome = schema.safeParse(request);
  if (outcome.success) return outcome.data.params;
  throw new ProtocolError(invalidParams, `The request is malformed. ${z.prettifyError(outcome.error)}`);
}
