import type { GatewayHooks } from '../../app/gateway/run-gateway.ts';
import { stopRequest } from '../../app/gateway/until-stopped.ts';
import { reloadRequests } from '../../app/reload/reload-requests.ts';
import { collectGarbage } from '../../base/system/collect-garbage.ts';
import type { Output } from '../../base/terminal/output.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { openLog } from '../../server/observability/open-log.ts';
import { openEditing } from '../../tools/endpoint-editing/open-editing.ts';
import { progressOn, type Terminal } from '../output/progress.ts';

/** The time for which open requests may delay the end of a session, in milliseconds. */
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
    hooks: { log, ...(request && { logRequest: request }), reload, keyInAddress: true, openEditing },
    stop: stopRequest(given.shutdownTimeoutMs),
    close: () => opened.close(),
  };
}

/** Where a session writes. The terminal gets the progress, and the log the warnings about settings. */
export type SessionOutput = Output & { readonly terminal: Terminal; readonly warnings: readonly string[] };

/** A gateway that is ready. */
export interface ReadyGateway {
  readonly url: string;
  readonly key: string;
  /** Whether it is one for this run, which the console takes from its address. */
  readonly keyIsRandom: boolean;
  /** Whether browsers get the console at the URL, and GraphiQL. */
  readonly console: boolean;
  readonly graphiql: boolean;
}

/** The first lines that are printed when it is ready: the address, the key, and the pages for a browser. */
export function whereItIs({ url, key, keyIsRandom, console, graphiql }: ReadyGateway): string {
  const address = keyIsRandom ? consoleAddress(url, key) : url;
  const pages = [
    ...(console ? [`Open the console in a browser to look around: ${address}`] : []),
    ...(graphiql ? [`GraphiQL with ready-to-run examples: ${url}/graphql`] : []),
  ];
  return [`Ready at ${url}, with the key ${key}`, ...pages].map((line) => `${line}\n`).join('');
}

/** The address of the console with a key in its fragment, which the page takes and browsers never send. */
function consoleAddress(url: string, key: string): string {
  return `${url}/#key=${encodeURIComponent(key)}`;
}

/** Microseconds since the epoch. */
export const wallClock = () => BigInt(Date.now()) * 1000n;

/**
 * Shows the progress while rows are made up and added.
 *
 * @param fill gets what to call with the number of added rows, and that of all; returns the number of added rows
 */
export async function withMakingProgress<T extends { readonly added: number }>(
  { terminal }: SessionOutput,
  fill: (onProgress: (done: number, all: number) => void) => Promise<T>,
): Promise<T> {
  const progress = progressOn(terminal, Date.now);
  let begun = false;
  try {
    const filled = await fill((done, all) => {
      if (!begun) progress.start('Making up rows', all);
      begun = true;
      progress.update(done);
    });
    progress.stop();
    // Frees hundreds of megabytes of garbage from making rows before the server starts.
    if (filled.added > 0) collectGarbage();
    return filled;
  } finally {
    progress.stop();
  }
}
