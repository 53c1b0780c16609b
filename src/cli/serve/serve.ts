import { isatty } from 'node:tty';
import { engineOf } from '../../app/engines/registry.ts';
import { launchGateway } from '../../app/gateway/launch-gateway.ts';
import { stopRequest, untilStopped } from '../../app/gateway/until-stopped.ts';
import { reloadRequests } from '../../app/reload/reload-requests.ts';
import { UsageError } from '../../base/errors/command-error.ts';
import { packageFolder, shippedFolders } from '../../base/package-folder.ts';
import type { Output } from '../../base/terminal/output.ts';
import { counted } from '../../base/text/counted.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import { openLog } from '../../server/observability/open-log.ts';
import { openEditing } from '../../tools/endpoint-editing/open-editing.ts';

interface ServeOptions {
  /** Whether to reload endpoints and sources when their files change. */
  readonly watch?: boolean;
  /** Whether the endpoints of the package may be served. */
  readonly example?: boolean;
  /** About the settings, for the log. */
  readonly warnings?: readonly string[];
}

/** Serves the store until the process is stopped. */
export async function serveCommand(
  config: Config,
  output: Output,
  { watch = false, example = false, warnings = [] }: ServeOptions = {},
): Promise<number> {
  const isShipped = config.endpointsDir === shippedFolders.endpoints && process.cwd() !== packageFolder;
  if (!example && isShipped)
    throw new UsageError(
      `There is no folder endpoints in ${process.cwd()}, and ENDPOINTS_DIR is not set. Make a project with npx endpoint-gateway init, or serve the endpoints of the package with serve --example.`,
    );
  if (watch && config.endpointsFrom !== undefined)
    throw new UsageError(
      '--watch is for folders. ENDPOINTS_FROM is looked at every ENDPOINTS_POLL_SECONDS seconds.',
    );
  const format = config.logFormat ?? (isatty(1) ? 'text' : 'json');
  const { log, request, operator, secret, close } = openLog({ format, level: config.logLevel, ...output });
  for (const warning of warnings) log.warn(warning);
  const stop = stopRequest(config.shutdownTimeoutMs);
  stop.addEventListener('abort', () => log.info('Stopping', { signal: String(stop.reason) }));
  const reload = { output: operator, watch, requests: reloadRequests() };
  const gateway = await launchGateway(config, {
    ...{ log, reload, openEditing },
    ...(request && { logRequest: request }),
  });
  if (gateway.keyIsRandom) secret(`API_KEY is not set. The key for this run is ${gateway.key}`);
  const contents = [
    counted(gateway.endpoints.length, 'endpoint'),
    counted(gateway.sources.length, 'source'),
    gateway.rows === undefined
      ? `on ${engineOf(config).elsewhere?.place}`
      : counted(await countRows(gateway.rows), 'row'),
  ];
  operator.out(`Ready at ${gateway.url} (${contents.join(', ')})\n`);
  const { shutdownDelayMs, shutdownTimeoutMs } = config;
  // A longer delay than the shutdown timeout would be cut off.
  await untilStopped(stop, gateway, watch ? 0 : Math.min(shutdownDelayMs, shutdownTimeoutMs));
  log.info('Stopped');
  await close();
  // The exporter retries for a while what a collector refuses. Nobody waits for that at shutdown.
  setTimeout(() => process.exit(), 100).unref();
  return 0;
}

async function countRows(rows: RowStore): Promise<number> {
  const counts = await rows.rowCounts();
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
