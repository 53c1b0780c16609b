import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Output } from '../../base/terminal/output.ts';
import type { InvalidationFilter } from '../../calls/executor/entries/entry-store.ts';
import type { EndpointChanges } from '../../definitions/endpoints/endpoint-catalog.ts';
import { digestsOf } from '../../definitions/endpoints/versions.ts';
import type { ReloadRequests } from './reload-requests.ts';
import { type SchemaFiles, type SchemaFolders, schemaFiles } from './schema-files.ts';
import { type ReloadSteps, schemaReloader } from './schema-reloader.ts';
import { watchFolder } from './watch-folder.ts';

/** How a command reloads endpoints and sources. */
export interface ReloadHooks {
  readonly output: Output;
  /** Whether they are reloaded when their files change. */
  readonly watch: boolean;
  readonly requests: ReloadRequests;
}

interface ReloadParts extends Pick<ReloadSteps, 'reload' | 'replan'> {
  readonly folders: SchemaFolders;
  /** The state of the files that were read at the start. */
  readonly files: SchemaFiles;
  /** Sets what is called when rows have added fields to sources. */
  readonly onGrowth: (report: (changes: readonly string[]) => void) => void;
  readonly invalidate: (filter: InvalidationFilter) => Promise<number>;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Reloads endpoints and sources on request and, with `watch`, when their files change. */
export function startReloading(
  { folders, files, onGrowth, invalidate, clock, log, ...steps }: ReloadParts,
  { output, watch, requests }: ReloadHooks,
): { close(): Promise<void> } {
  const invalidateChanged = async ({ changed, removed }: EndpointChanges) => {
    const filters: InvalidationFilter[] = [
      ...changed.map((endpoint) => ({ endpointId: endpoint.id, version: { not: digestsOf(endpoint) } })),
      ...removed.map(({ id }) => ({ endpointId: id })),
    ];
    const outcomes = await Promise.allSettled(filters.map(invalidate));
    if (outcomes.every(({ status }) => status === 'fulfilled')) return;
    log.warn('results of removed endpoints stay in Redis until they expire; they are not served');
  };
  const reloader = schemaReloader(
    { ...steps, invalidateChanged, readFiles: () => schemaFiles(folders) },
    output,
    log,
    files,
  );
  const watched = watch ? [folders.endpointsDir, folders.sourcesDir] : [];
  const watchers = watched.map((each) => watchFolder(each, clock, () => reloader.reloadIfChanged()));
  requests.listen(() => reloader.reload());
  onGrowth((changes) => reloader.replan(changes));
  // The files may have changed between being read and being watched.
  if (watch) reloader.reloadIfChanged();
  return {
    async close() {
      for (const watcher of watchers) watcher.close();
      await reloader.close();
    },
  };
}
