import type { GatewayHooks } from '../../app/gateway/run-gateway.ts';
import { stopRequest } from '../../app/gateway/until-stopped.ts';
import { reloadRequests } from '../../app/reload/reload-requests.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { openLog } from '../../server/observability/open-log.ts';

import type { SessionOutput } from './session-output.ts';

/** How long open requests may delay the end of a session, in milliseconds. Nobody depends on them. */
const maxShutdownMs = 3_000;

/** A gateway for one person at a terminal, until Ctrl-C. */
export interface Session {
  readonly config: Config;
  readonly hooks: GatewayHooks;
  readonly stop: AbortSignal;
  close(): Promise<void>;
}

/** Opens the log, and waits for signals. The gateway reloads changed files, and the console takes the key from its address. */
export function openSession(given: Config, output: SessionOutput): Session {
  const config = {
    ...given,
    // It has no load balancer that must notice.
    shutdownDelayMs: 0,
    shutdownTimeoutMs: Math.min(given.shutdownTimeoutMs, maxShutdownMs),
  };
  const opened = openLog({ format: config.logFormat ?? 'text', level: config.logLevel, ...output });
  const { log, request, operator } = opened;
  for (const warning of output.warnings) log.warn(warning);
  const reload = { output: operator, watch: true, requests: reloadRequests() };
  return {
    config,
    hooks: { log, ...(request && { logRequest: request }), reload, keyInAddress: true },
    stop: stopRequest(given.shutdownTimeoutMs),
    close: () => opened.close(),
  };
}
