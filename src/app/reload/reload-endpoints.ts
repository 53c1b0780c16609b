import pLimit from 'p-limit';
import { describeChanges, type EndpointChanges, hasChanges } from '../../endpoints/endpoint-changes.ts';
import type { Log } from '../../log.ts';
import { explainFailure } from '../explain-failure.ts';
import type { LoadedSchema } from '../load-schema.ts';
import type { Output } from '../output.ts';
import type { SchemaFiles } from './schema-files.ts';

export interface ReloadSteps {
  /** Loads the endpoints again. Rejects if they have any error. */
  load(): Promise<LoadedSchema>;
  /** Replaces all endpoints at once. */
  apply(loaded: LoadedSchema): void;
  /** Invalidates the cached results of changed endpoints. */
  invalidateChanged(changes: EndpointChanges): Promise<void>;
  readFiles(): Promise<SchemaFiles>;
}

interface Reloader {
  /** Reloads the endpoints and prints the outcome. */
  reload(): void;
  /** Reloads the endpoints if their files have changed. */
  reloadIfChanged(): void;
  close(): Promise<void>;
}

/**
 * Reloads endpoints, one reload at a time, while requests are served. If there is any error, it is printed as by
 * `check`, and nothing changes.
 *
 * @param files the files that were read at the start
 */
export function endpointReloader(
  steps: ReloadSteps,
  { out, err }: Output,
  log: Pick<Log, 'warn'>,
  files: SchemaFiles,
): Reloader {
  let known = files;
  let isRequested = false;
  let hasFailed = false;
  let isClosed = false;
  const limit = pLimit(1);

  async function attempt(): Promise<void> {
    const now = await steps.readFiles();
    const isAskedFor = isRequested;
    const isNeeded = isAskedFor || now.endpoints !== known.endpoints;
    if (now.sources !== known.sources) {
      log.warn('Source files have changed. They are read only at startup.');
    }
    known = now;
    isRequested = false;
    if (!isNeeded) return;
    const loaded = await steps.load();
    steps.apply(loaded);
    // A file that is written in two steps may be read whole after the first one: the second changes nothing.
    if (isAskedFor || hasFailed || hasChanges(loaded.changes)) {
      out(`Reloaded endpoints: ${describeChanges(loaded.changes)}.\n`);
    }
    hasFailed = false;
    await steps.invalidateChanged(loaded.changes);
  }

  async function reload(): Promise<void> {
    try {
      await attempt();
    } catch (error) {
      hasFailed = true;
      err(`${explainFailure(error)}\nEndpoints were not reloaded. The previous ones are still served.\n`);
    }
  }

  function request(): void {
    // A waiting reload reads the latest files, so that one is enough.
    if (!isClosed && limit.pendingCount === 0) void limit(reload);
  }

  return {
    reload() {
      isRequested = true;
      request();
    },
    reloadIfChanged: request,
    async close() {
      isClosed = true;
      limit.clearQueue();
      // Runs after the current reload.
      await limit(() => {});
    },
  };
}
