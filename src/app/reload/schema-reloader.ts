import pLimit from 'p-limit';
import { describeChanges, type EndpointChanges, hasChanges } from '../../endpoints/endpoint-changes.ts';
import { explainFailure } from '../explain-failure.ts';
import type { Output } from '../output.ts';
import type { SchemaFiles } from './schema-files.ts';

export interface ReloadSteps {
  /** Loads sources and endpoints again, and replaces all of them. Rejects if they have any error, and changes nothing. */
  reload(): Promise<SchemaChanges>;
  /** Invalidates the cached results of changed endpoints. */
  invalidateChanged(changes: EndpointChanges): Promise<void>;
  readFiles(): Promise<SchemaFiles>;
}

export interface SchemaChanges {
  readonly endpoints: EndpointChanges;
  /** A text for each. */
  readonly sources: readonly string[];
}

interface Reloader {
  /** Reloads endpoints and sources, and prints the outcome. */
  reload(): void;
  /** Reloads them if their files have changed. */
  reloadIfChanged(): void;
  close(): Promise<void>;
}

/**
 * Reloads endpoints and sources, one reload at a time, while requests are served. If there is any error, it is printed as by
 * `check`, and nothing changes.
 *
 * @param files the files that were read at the start
 */
export function schemaReloader(steps: ReloadSteps, { out, err }: Output, files: SchemaFiles): Reloader {
  let known = files;
  let isRequested = false;
  let hasFailed = false;
  let isClosed = false;
  const limit = pLimit(1);

  async function attempt(): Promise<void> {
    const now = await steps.readFiles();
    const isAskedFor = isRequested;
    const isNeeded = isAskedFor || now.endpoints !== known.endpoints || now.sources !== known.sources;
    known = now;
    isRequested = false;
    if (!isNeeded) return;
    const { sources, endpoints } = await steps.reload();
    if (sources.length > 0) out(`Reloaded sources: ${sources.join('; ')}.\n`);
    // A file that is written in two steps may be read whole after the first one: the second changes nothing.
    if (isAskedFor || hasFailed || hasChanges(endpoints)) {
      out(`Reloaded endpoints: ${describeChanges(endpoints)}.\n`);
    }
    hasFailed = false;
    await steps.invalidateChanged(endpoints);
  }

  async function reload(): Promise<void> {
    try {
      await attempt();
    } catch (error) {
      hasFailed = true;
      err(
        `${explainFailure(error)}\nEndpoints and sources were not reloaded. The previous ones are still served.\n`,
      );
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
