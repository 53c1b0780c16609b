import pLimit from 'p-limit';
import { describeChanges, type EndpointChanges } from '../../endpoints/endpoint-changes.ts';
import { explainFailure } from '../explain-failure.ts';
import type { LoadedSchema } from '../load-schema.ts';
import type { Output } from '../output.ts';
import type { SchemaFiles } from './schema-files.ts';

export interface ReloadSteps {
  /** Reads the endpoints anew. Rejects when anything is wrong with them. */
  load(): Promise<LoadedSchema>;
  /** Puts them in the place of those before, all at once. */
  apply(loaded: LoadedSchema): void;
  /** Drops what is kept of endpoints that have changed. */
  invalidateChanged(changes: EndpointChanges): Promise<void>;
  readFiles(): Promise<SchemaFiles>;
}

interface Reloader {
  /** Reloads the endpoints. What comes of it is printed. */
  reload(): void;
  /** The same, unless their files are as they were. */
  reloadIfChanged(): void;
  close(): Promise<void>;
}

/**
 * Reloads endpoints while others go on serving, one reload at a time. When there is a mistake anywhere, it is printed as `check`
 * prints it, and nothing changes.
 *
 * @param files the files that were read at the start
 */
export function endpointReloader(steps: ReloadSteps, { out, err }: Output, files: SchemaFiles): Reloader {
  let known = files;
  let isAsked = false;
  let isClosed = false;
  const limit = pLimit(1);

  async function attempt(): Promise<void> {
    const now = await steps.readFiles();
    const isWanted = isAsked || now.endpoints !== known.endpoints;
    if (now.sources !== known.sources) {
      err('warning: source files have changed. They are read only at startup.\n');
    }
    known = now;
    isAsked = false;
    if (!isWanted) return;
    const loaded = await steps.load();
    steps.apply(loaded);
    out(`Reloaded endpoints: ${describeChanges(loaded.changes)}.\n`);
    await steps.invalidateChanged(loaded.changes);
  }

  async function reload(): Promise<void> {
    try {
      await attempt();
    } catch (error) {
      err(`${explainFailure(error)}\nEndpoints were not reloaded. The previous ones are still served.\n`);
    }
  }

  function request(): void {
    // One that waits sees all that was asked for before it begins.
    if (!isClosed && limit.pendingCount === 0) void limit(reload);
  }

  return {
    reload() {
      isAsked = true;
      request();
    },
    reloadIfChanged: request,
    async close() {
      isClosed = true;
      limit.clearQueue();
      // It begins when what runs has ended.
      await limit(() => {});
    },
  };
}
