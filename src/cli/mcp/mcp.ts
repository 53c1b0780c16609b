import { launchOpened } from '../../app/gateway/launch-gateway.ts';
import { stopRequest } from '../../app/gateway/until-stopped.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { systemClock } from '../../base/system/clock.ts';
import type { Output } from '../../base/terminal/output.ts';
import { type Access, requireScope } from '../../calls/access/authentication/access.ts';
import type { Caller } from '../../calls/access/caller/caller.ts';
import { everyScope } from '../../calls/access/caller/caller.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { StoreError } from '../../engines/duckdb/store/file/store-error.ts';
import { openLog } from '../../server/observability/open-log.ts';

/**
 * Serves the endpoints to one agent over standard input and output, by the Model Context Protocol. It listens to nothing
 * else. Everything that isn't a message goes to standard error.
 *
 * @param warnings about the settings, for the log
 * @throws GatewayError UNAUTHENTICATED, FORBIDDEN for a key that may not query; the errors of `openGateway`
 */
export async function mcpCommand(
  config: Config,
  { err }: Output,
  warnings: readonly string[],
): Promise<number> {
  const { log } = openLog({ format: 'text', level: config.logLevel, out: err, err });
  for (const warning of warnings) log.warn(warning);
  const stop = stopRequest(config.shutdownTimeoutMs);
  await using open = await launchOpened(config, { log }).catch((error) => {
    if (error instanceof StoreError && error.kind === 'locked') throw inUse(error);
    throw error;
  });
  const { gateway, keys, schema } = open;
  const { serveStdio } = await import('../../server/mcp/serve-stdio.ts');
  await serveStdio({
    parts: { shape: schema.shape, calls: gateway.calls },
    caller: () => callerOf(config.mcpKey, keys.access),
    input: process.stdin,
    output: process.stdout,
    log,
    clock: systemClock,
    recordCalls: gateway.recordCalls,
    requestTimeoutMs: config.requestTimeoutMs,
    stop,
  });
  return 0;
}

function inUse({ message }: StoreError): StoreError {
  return new StoreError('locked', `${message} If it is a gateway, connect the agent to its path /mcp.`);
}

/** The user who starts the command may read the store, and so may the agent, unless a key restricts it. */
function callerOf(key: string | undefined, access: Access): Caller {
  if (key === undefined) return { name: 'mcp', scopes: everyScope, redact: false };
  try {
    const caller = access.authenticate({ 'x-api-key': [key] });
    requireScope(caller, 'query');
    return caller;
  } catch (error) {
    throw error instanceof GatewayError ? new GatewayError(error.code, `MCP_KEY: ${error.message}`) : error;
  }
}
