import { bytesOf } from '../../../base/forms/bytes.ts';
import { type Clock, systemClock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import { timeLimits } from '../../../definitions/settings/ingest-settings.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { removeServerFile, writeServerFile } from '../../../engines/duckdb/store/file/server-file.ts';
import type { StoreState } from '../../../engines/duckdb/store/store-state.ts';
import type { HealthDetails } from '../../../server/operator/monitoring.ts';
import { EngineClient } from '../../engine-process/engine-client.ts';
import type { LaunchedEngine } from '../../engine-process/launched-engine.ts';
import type { DuckDbSettings } from '../../engine-process/open-duckdb.ts';
import { rowClient } from '../../engine-process/row-client.ts';
import { type EngineOptions, SupervisedEngine } from '../../engine-process/supervised-engine.ts';
import type { OpenedEngine } from '../engine/opened-engine.ts';

/** How often the state is read, in milliseconds. */
const intervalMs = 5_000;

/** Knows whether the store can take rows, as of some seconds ago. */
export class StoreHealth {
  readonly #read: () => Promise<StoreState>;
  readonly #clock: Pick<Clock, 'after'>;
  #state: StoreState | undefined;
  #timer: { cancel(): void } | undefined;
  #isClosed = false;

  /** @param read rejects while there is no engine process */
  constructor(read: () => Promise<StoreState>, clock: Pick<Clock, 'after'>) {
    this.#read = read;
    this.#clock = clock;
    void this.#watch();
  }

  /** Undefined until it is known. */
  get state(): StoreState | undefined {
    return this.#state;
  }

  /** For `/readyz`: queries are answered even if no rows can be added, and those of other sources if one is unavailable. */
  get details(): HealthDetails {
    const { disk, unavailable = [] } = this.#state ?? {};
    const details = {
      ...(disk?.isFull && { rows: 'refused, because the disk is full' }),
      ...Object.fromEntries(
        unavailable.map(({ source, reason }) => [
          `source ${source}`,
          `unavailable. ${reason.replaceAll('\n', ' ')}`,
        ]),
      ),
    };
    return Object.keys(details).length === 0 ? {} : { status: 'degraded', ...details };
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #watch(): Promise<void> {
    // The state of a process that is gone stays: its disk is the same.
    this.#state = await this.#read().catch(() => this.#state);
    if (!this.#isClosed) this.#timer = this.#clock.after(intervalMs, () => void this.#watch());
  }
}

interface EngineProcessHooks {
  readonly log: Log;
  /** The process, if it was started already. */
  readonly launched?: Promise<LaunchedEngine> | undefined;
  readonly onLoopDelay?: EngineOptions['onLoopDelay'];
}

/** Memory that the engine process may briefly use beyond `DUCKDB_MEMORY_LIMIT` before it is ended, in bytes. */
const beyondLimit = 400e6;

/** Time between attempts to write `server.json` after a restart, in milliseconds. */
const announceRetryMs = 5_000;

/** The settings of the embedded engine. */
export function duckDbSettings(config: Config, sources: readonly Source[]): DuckDbSettings {
  const {
    dataDir,
    duckdbMemoryLimit: memoryLimit,
    duckdbThreads: threads,
    duckdbTempLimit: tempLimit,
    slicesMemory,
    sourceMaxFields: maxFields,
    dataRetentionDays: retentionDays,
    dataReserved,
  } = config;
  const times = timeLimits(config);
  const reservedBytes = dataReserved === undefined ? undefined : bytesOf(dataReserved);
  return {
    dataDir,
    sources,
    memoryLimit,
    threads,
    tempLimit,
    sliceBytes: bytesOf(slicesMemory) ?? 0,
    maxFields,
    times,
    retentionDays,
    reservedBytes,
  };
}

/**
 * Starts the engine process, which opens the store of the data folder.
 *
 * @throws StoreError
 */
export async function openEngineProcess(
  config: Config,
  sources: readonly Source[],
  { log, launched, onLoopDelay }: EngineProcessHooks,
): Promise<OpenedEngine & Required<Pick<OpenedEngine, 'store'>> & { readonly supervised: SupervisedEngine }> {
  const { dataDir } = config;
  let storePid = 0;
  let address: { readonly url: string; readonly token: string } | undefined;
  const closing = new AbortController();
  const write = async () => {
    if (address !== undefined) await writeServerFile(dataDir, { pid: process.pid, storePid, ...address });
  };
  // The gateway can answer even with a full disk.
  const announce = async () => {
    const pid = storePid;
    const again = async () => {
      await systemClock.sleep(announceRetryMs, closing.signal);
      if (storePid === pid) await write().catch(again);
    };
    await write().catch((error) => {
      log.warn('import commands do not find this gateway for now', { reason: error.message });
      // Closing aborts the sleep.
      again().catch(() => {});
    });
  };
  const supervised = await SupervisedEngine.start({
    settings: duckDbSettings(config, sources),
    clock: systemClock,
    log,
    launched,
    onLoopDelay,
    memoryLimit: (bytesOf(config.duckdbMemoryLimit) ?? 0) + beyondLimit,
    async onOpen(pid) {
      storePid = pid;
      await announce();
    },
  });
  const store = rowClient(supervised);
  const health = new StoreHealth(() => store.state(), systemClock);
  return {
    engine: new EngineClient(supervised, systemClock),
    rows: store,
    store,
    supervised,
    changes: supervised.changes,
    useSources: (sources, drop) => supervised.useSources(sources, drop),
    planSources: (sources, drop) => supervised.planSources(sources, drop),
    async announce(given) {
      address = given;
      await announce();
      return {
        async [Symbol.asyncDispose]() {
          address = undefined;
          await removeServerFile(dataDir, process.pid);
        },
      };
    },
    isReady: () => supervised.isReady,
    process: () => supervised.state,
    health: () => health.details,
    storeState: () => health.state,
    close() {
      health.close();
      closing.abort();
      return supervised.close();
    },
  };
}
