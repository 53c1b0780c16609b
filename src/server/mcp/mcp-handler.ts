import { isUtf8 } from 'node:buffer';
import { once } from '../../base/async/memoized.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { CallParts } from '../../calls/call.ts';
import type { SchemaShape } from '../graphql/shape/shape.ts';
import { checkNesting } from '../http/body/json-nesting.ts';
import { readBody } from '../http/body/read-body.ts';
import { asksForRedaction, payerOf } from '../http/request/gateway-headers.ts';
import { isJson, readMediaType, unsupportedMediaType } from '../http/request/media-type.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import { disclose } from '../http/response/error-answer.ts';
import type { KeyedCall, KeyedHandler } from '../http/route.ts';
import type { McpSession } from './tools/call-tool.ts';

interface McpHandlerOptions {
  readonly calls: CallParts;
  readonly log: Log;
}

/**
 * The Model Context Protocol at `/mcp`, by Streamable HTTP. It is stateless: each request has its key, and a message or
 * a batch of them. The answer is JSON.
 *
 * @param current the endpoints that are served now: they may be replaced while a body arrives
 */
export function mcpHandler(current: () => SchemaShape, options: McpHandlerOptions): KeyedHandler {
  const { calls, log } = options;
  // The SDK is loaded with the first request, so that it doesn't delay the start.
  const answerMessage = once(async () => (await import('./answer-message.ts')).answerMessage);

  return async (call) => {
    const { context, caller, deadline } = call;
    const { request, logFields } = context;
    const { headersDistinct } = request;
    requireAllowedOrigin(context);
    const message = await readMessage(call);
    const session: McpSession = {
      caller,
      payer: payerOf(caller, headersDistinct),
      redacts: asksForRedaction(headersDistinct['lf-endpoint-redact-pii']) || caller.redact,
      hold: (memory, bytes) => context.holdAnswer(memory, bytes),
      withinTime: (_cancelled, run) => run(deadline.signal, logFields),
      disclose: (thrown) => disclose(thrown, context, log),
    };
    const respond = await answerMessage();
    const { status, body } = await respond(message, request.headers, { shape: current(), calls }, session);
    const headers = { 'Cache-Control': 'no-store' };
    if (body === '') return { status, headers, body };
    return { ...jsonAnswer(status, body, headers), ...(status >= 400 && { error: 'BAD_USER_INPUT' }) };
  };
}

/**
 * Refuses pages whose origin is not allowed, as the protocol requires: browsers hide answers from them, but send their
 * requests. Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 *
 * @throws GatewayError FORBIDDEN
 */
function requireAllowedOrigin({ request, cors }: RequestContext): void {
  const { origin } = request.headers;
  if (origin === undefined || cors.includes('Access-Control-Allow-Origin')) return;
  throw new GatewayError('FORBIDDEN', 'Pages of this origin may not send messages (CORS_ORIGINS).');
}

/** @throws GatewayError for a body that can't be read; the signal's reason */
async function readMessage({ context, maxBodyBytes, deadline }: KeyedCall): Promise<string> {
  const type = readMediaType(context.request.headers['content-type']);
  if (type === undefined || !isJson(type)) throw unsupportedMediaType(type?.header ?? '');
  const body = await readBody(context, maxBodyBytes, deadline.signal);
  if (!isUtf8(body)) throw new GatewayError('BAD_USER_INPUT', 'The body is not valid UTF-8.');
  const text = body.toString();
  checkNesting(text);
  return text;
}
