import { formatProblem, type Problem } from '../../base/errors/problem.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Output } from '../../base/terminal/output.ts';
import type { InvalidationFilter } from '../../calls/executor/entries/entry-store.ts';
import type { EndpointChanges } from '../../definitions/endpoints/endpoint-catalog.ts';
import { digestsOf } from '../../definitions/endpoints/versions.ts';
import type { ReloadRequests } from './reload-requests.ts';
import { type SchemaFiles, type SchemaFolders, schemaFiles } from './schema-files.ts';
import { type FilesSwap, type ReloadSteps, schemaReloader } from './schema-reloader.ts';
import { watchFolder } from './watch-folder.ts';

/** How a command reloads endpoints and sources. */
export interface ReloadHooks {
  readonly output: Output;
  /** Whether they are reloaded when their files change. */
  readonly watch: boolean;
  readonly requests: ReloadRequests;
}

/** Endpoints and sources that are fetched. */
interface FetchedFiles {
  /** Looks for another version, and again at one that was refused. Never rejects. */
  look(again: boolean): Promise<boolean>;
  readonly swap: () => Promise<FilesSwap | undefined>;
  /** Seconds from one look to the next; 0 if only requests look. */
  readonly everySeconds: number;
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number;
}

interface ReloadParts extends Pick<ReloadSteps, 'reload' | 'replan'> {
  readonly folders: SchemaFolders;
  /** The state of the files that were read at the start. */
  readonly files: SchemaFiles;
  /** Sets what is called when rows have added fields to sources. */
  readonly onGrowth: (report: (changes: readonly string[]) => void) => void;
  /** Boards are read again by themselves: what they call may stay as it is. */
  readonly boards: { readonly folder: string; load(): Promise<readonly Problem[]> };
  readonly invalidate: (filter: InvalidationFilter) => Promise<number>;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Log, 'warn'>;
  readonly fetched: FetchedFiles | undefined;
}

/** Reloads endpoints and sources on request and, with `watch`, when their files change. */
export function startReloading(
  { folders, files, boards, onGrowth, invalidate, clock, log, fetched, ...steps }: ReloadParts,
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
  const loadBoards = async () => {
    const problems = await boards.load();
    if (problems.length > 0)
      output.err(`${problems.map(formatProblem).join('\n')}\nThese boards are not shown.\n`);
  };
  const reload = async () => {
    const changes = await steps.reload();
    await loadBoards();
    return changes;
  };
  const reloader = schemaReloader(
    {
      ...{ ...steps, reload, invalidateChanged, readFiles: () => schemaFiles(folders) },
      ...(fetched && { swap: fetched.swap }),
    },
    output,
    log,
    files,
  );
  const watched = watch ? [folders.endpointsDir, folders.sourcesDir] : [];
  const watchers = watched.map((each) => watchFolder(each, clock, () => reloader.reloadIfChanged()));
  if (watch) watchers.push(watchFolder(boards.folder, clock, () => void loadBoards()));
  const looks = fetched && lookRepeatedly(fetched, clock, () => reloader.reload());
  requests.listen(() => {
    if (looks === undefined) reloader.reload();
    else void looks.now();
  });
  onGrowth((changes) => reloader.replan(changes));
  // The files may have changed between being read and being watched.
  if (watch) reloader.reloadIfChanged();
  return {
    async close() {
      for (const watcher of watchers) watcher.close();
      looks?.close();
      await reloader.close();
    },
  };
}

/** The part of the time between two looks by which it is longer or shorter, so that replicas don't all look at the same time. */
const jitter = 0.1;

/** Looks at intervals, and on request. A request reloads even if there is nothing new. */
function lookRepeatedly(
  { look, everySeconds, random }: FetchedFiles,
  clock: Pick<Clock, 'after'>,
  reload: () => void,
): { now(): Promise<void>; close(): void } {
  let timer: ReturnType<Clock['after']> | undefined;
  let isClosed = false;
  const later = () => {
    if (everySeconds === 0 || isClosed) return;
    const milliseconds = everySeconds * 1_000 * (1 + jitter * (2 * random() - 1));
    timer = clock.after(milliseconds, async () => {
      if (await look(false)) reload();
      later();
    });
  };
  later();
  return {
    async now() {
      await look(true);
      reload();
    },
    close() {
      isClosed = true;
      timer?.cancel();
    },
  };
}
