import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Caller } from '../../calls/access/caller/caller.ts';
import { withoutKeys } from '../../calls/access/key/key-text.ts';
import type { CallLogFields } from '../../calls/call-log.ts';
import type { CallRecords } from '../../calls/records/call-records.ts';
import { payerOf } from '../http/request/gateway-headers.ts';
import { mcpServer } from './mcp-server.ts';
import type { McpParts, McpSession } from './tools/call-tool.ts';

interface StdioOptions {
  readonly parts: McpParts;
  /**
   * The caller, as its key is now.
   *
   * @throws GatewayError UNAUTHENTICATED if its key is no longer valid
   */
  readonly caller: () => Caller;
  readonly input: Readable;
  /** Carries messages and nothing else. */
  readonly output: Writable;
  readonly log: Log;
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
  /** Records calls that have ended. */
  readonly recordCalls?: CallRecords['record'] | undefined;
  /** Time limit of a call, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Aborted to stop. */
  readonly stop: AbortSignal;
}

/**
 * Serves one client over standard input and output, one message in each line. Ends when the input ends, the client no
 * longer reads, or it is stopped. Calls in progress are still answered.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { parts, input, output, log, clock, recordCalls, stop } = options;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const calls = new Set<Promise<unknown>>();
  const session: McpSession = {
    get caller() {
      return options.caller();
    },
    get payer() {
      return payerOf(options.caller(), {});
    },
    get redacts() {
      return options.caller().redact;
    },
    // Requests are not logged, but recorded.
    async withinTime(cancelled, call) {
      using deadline = startDeadline(options);
      const logFields: CallLogFields = {};
      const caller = callerOf(options);
      const began = clock.elapsed();
      const running = call(AbortSignal.any([cancelled, deadline.signal]), logFields);
      calls.add(running);
      try {
        return await running;
      } finally {
        calls.delete(running);
        const { records = [] } = logFields;
        recordCalls?.(records, caller, { api: 'mcp', durationMs: clock.elapsed() - began });
      }
    },
    disclose: (thrown) => disclose(thrown, log),
  };
  const server = mcpServer(parts, session);
  server.onerror = ({ message }) =>
    log.warn('a message was ignored', { reason: withoutKeys(message).slice(0, 300) });
  server.onclose = end;
  input.once('end', end).once('close', end);
  output.on('error', end);
  stop.addEventListener('abort', () => end(), { once: true });
  await server.connect(new StdioServerTransport(input, output));
  if (!stop.aborted) await ended;
  // The SDK starts a call, and sends its result, a few steps after it has the message or the result.
  await setImmediate();
  await Promise.allSettled(calls);
  await setImmediate();
  await server.close();
}

/** Undefined if its key is no longer valid: the call then fails with that. */
function callerOf({ caller }: StdioOptions): Caller | undefined {
  try {
    return caller();
  } catch {
    return undefined;
  }
}

function startDeadline({
  requestTimeoutMs,
  clock,
}: StdioOptions): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const timer = clock.after(requestTimeoutMs, () => {
    controller.abort(new GatewayError('QUERY_TIMEOUT', `The call timed out after ${requestTimeoutMs} ms.`));
  });
  return { signal: controller.signal, [Symbol.dispose]: () => timer.cancel() };
}

function disclose(thrown: unknown, log: Log): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const cause = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  log.error('a call failed unexpectedly', { cause });
  return new GatewayError('INTERNAL_SERVER_ERROR', "Internal error. See the gateway's log.");
}
