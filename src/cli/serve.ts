import { isatty } from 'node:tty';
import { launchGateway } from '../app/launch-gateway.ts';
import type { Output } from '../app/output.ts';
import { reloadRequests } from '../app/reload/reload-requests.ts';
import { stopRequest, untilStopped } from '../app/until-stopped.ts';
import { type Config, settingWarnings } from '../config.ts';
import type { RowStore } from '../ingest/row-store.ts';
import { openLog } from '../observability/log/open-log.ts';
import { counted } from '../text/counted.ts';
import { progressOn } from './progress.ts';
import { upgradeProgress } from './upgrade-progress.ts';

interface ServeOptions {
  /** Whether endpoints are reloaded when their files change. */
  readonly watch?: boolean;
}

/** Serves what is in the store until the process is told to stop. */
export async function serveCommand(
  config: Config,
  output: Output,
  { watch = false }: ServeOptions = {},
): Promise<number> {
  const format = config.logFormat ?? (isatty(1) ? 'text' : 'json');
  const { log, request, operator, secret, close } = openLog({ format, level: config.logLevel, ...output });
  for (const warning of settingWarnings()) log.warn(warning);
  const stop = stopRequest(config.shutdownTimeoutMs);
  stop.addEventListener('abort', () => log.info('Stopping', { signal: String(stop.reason) }));
  const reload = { output: operator, watch, requests: reloadRequests() };
  // A log of JSON lines says it by itself.
  const onMove =
    format === 'text' ? upgradeProgress(progressOn(process.stderr, () => performance.now())) : undefined;
  const gateway = await launchGateway(config, {
    ...{ log, reload },
    ...(request && { logRequest: request }),
    ...(onMove && { onMove }),
  });
  if (gateway.keyIsRandom) secret(`API_KEY is not set. The key for this run is ${gateway.key}`);
  const contents = [
    counted(gateway.endpoints.length, 'endpoint'),
    counted(gateway.sources.length, 'source'),
    gateway.rows === undefined ? 'on BigQuery' : counted(await countRows(gateway.rows), 'row'),
  ];
  operator.out(`Ready at ${gateway.url} (${contents.join(', ')})\n`);
  const { shutdownDelayMs, shutdownTimeoutMs } = config;
  // A delay beyond the time that stopping may take would be ended by force.
  await untilStopped(stop, gateway, watch ? 0 : Math.min(shutdownDelayMs, shutdownTimeoutMs));
  log.info('Stopped');
  await close();
  // What a collector doesn't take is tried again for a while, with nobody left who waits for it.
  setTimeout(() => process.exit(), 100).unref();
  return 0;
}

async function countRows(rows: RowStore): Promise<number> {
  const counts = await rows.rowCounts();
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
