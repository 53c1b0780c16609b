import type { Config } from '../config.ts';
import type { Store } from '../engines/duckdb/store/store.ts';
import { plainLog } from '../log.ts';
import { counted } from './counted.ts';
import type { Output } from './output.ts';
import { reloadRequests } from './reload/reload-requests.ts';
import { runGateway } from './run-gateway.ts';
import { stopRequest, untilStopped } from './until-stopped.ts';

export interface ServeOptions {
  /** Whether endpoints are reloaded when their files change. */
  readonly watch?: boolean;
}

/** Serves what is in the store until the process is told to stop. */
export async function serveCommand(
  config: Config,
  output: Output,
  { watch = false }: ServeOptions = {},
): Promise<number> {
  const { out, err } = output;
  const stop = stopRequest();
  const reload = { output, watch, requests: reloadRequests() };
  const gateway = await runGateway(config, { log: plainLog(err), reload });
  if (gateway.keyIsRandom) out(`API_KEY is not set. The key for this run is ${gateway.key}\n`);
  const contents = [
    counted(gateway.endpoints.length, 'endpoint'),
    counted(gateway.sources.length, 'source'),
    gateway.store === undefined ? 'on BigQuery' : counted(await countRows(gateway.store), 'row'),
  ];
  out(`Ready at ${gateway.url} (${contents.join(', ')})\n`);
  await untilStopped(stop, gateway);
  return 0;
}

async function countRows(store: Store): Promise<number> {
  const counts = await store.rowCounts();
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
