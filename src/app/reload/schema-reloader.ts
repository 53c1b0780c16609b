import pLimit from 'p-limit';
import { formatProblem, type Problem } from '../../base/errors/problem.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Output } from '../../base/terminal/output.ts';
import {
  describeChanges,
  type EndpointChanges,
  hasChanges,
} from '../../definitions/endpoints/endpoint-catalog.ts';
import { explainFailure } from '../failures/explain-failure.ts';
import type { SchemaFiles } from './schema-files.ts';

export interface ReloadSteps {
  /** Loads sources and endpoints again, and replaces those whose files have no errors. If it rejects, nothing has changed. */
  reload(): Promise<SchemaChanges>;
  /** Loads the endpoints again over the current sources, which have grown, and replaces them likewise. */
  replan(): Promise<SchemaChanges>;
  /** Invalidates the cached results of changed endpoints. */
  invalidateChanged(changes: EndpointChanges): Promise<void>;
  readFiles(): Promise<SchemaFiles>;
  /** Puts fetched files in place of those that were read, if there are others. */
  readonly swap?: () => Promise<FilesSwap | undefined>;
}

/** Files that were put in place of others. */
export interface FilesSwap {
  /** They are used. */
  confirm(): Promise<void>;
  /** Puts the others back. */
  undo(): Promise<void>;
}

export interface SchemaChanges {
  readonly schema: {
    readonly changes: EndpointChanges;
    /** The errors in files. What they declare is served as before, or not at all. */
    readonly problems: readonly Problem[];
  };
  /** A text for each. */
  readonly sources: readonly string[];
}

interface Reloader {
  /** Reloads endpoints and sources, and prints the outcome. */
  reload(): void;
  /** Reloads them if their files have changed. */
  reloadIfChanged(): void;
  /**
   * Plans the endpoints again because sources have grown, and prints the outcome. If endpoint files have changed, nobody
   * has asked for these: then the next reload does it.
   *
   * @param changes the changes of sources, a text each
   */
  replan(changes: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Reloads endpoints and sources, one reload at a time, while requests are served. Errors are printed as by `check`. A file
 * with errors changes nothing; other files do.
 *
 * @param files the files that were read at the start
 */
export function schemaReloader(
  steps: ReloadSteps,
  { out, err }: Output,
  log: Pick<Log, 'warn'>,
  files: SchemaFiles,
): Reloader {
  let known = files;
  let isRequested = false;
  let isCheckRequested = false;
  let growth: readonly string[] = [];
  let hasFailed = false;
  let isClosed = false;
  const limit = pLimit(1);

  async function attemptReload(): Promise<void> {
    if (!isRequested && !isCheckRequested) return;
    const swap = await steps.swap?.();
    const now = await steps.readFiles();
    const isAskedFor = isRequested;
    const isNeeded = isAskedFor || now.endpoints !== known.endpoints || now.sources !== known.sources;
    known = now;
    isRequested = false;
    isCheckRequested = false;
    if (!isNeeded) return;
    let changes: SchemaChanges;
    try {
      changes = await steps.reload();
    } catch (error) {
      await swap?.undo();
      throw error;
    }
    await swap?.confirm();
    await finish(changes, isAskedFor);
  }

  async function attemptReplan(): Promise<void> {
    const added = growth;
    growth = [];
    if (added.length === 0) return;
    out(`Rows have added fields to sources: ${added.join('; ')}.\n`);
    const now = await steps.readFiles();
    if (now.endpoints === known.endpoints) await finish(await steps.replan(), false);
    else log.warn('Endpoint files have changed. Endpoints have the added fields after the next reload.');
  }

  async function finish({ sources, schema }: SchemaChanges, isAskedFor: boolean): Promise<void> {
    const { changes, problems } = schema;
    if (problems.length > 0)
      err(`${problems.map(formatProblem).join('\n')}\nWhat these files declare was not reloaded.\n`);
    if (sources.length > 0) out(`Reloaded sources: ${sources.join('; ')}.\n`);
    // A file that is written in two steps may be read whole after the first one: the second changes nothing.
    if (isAskedFor || hasFailed || hasChanges(changes))
      out(`Reloaded endpoints: ${describeChanges(changes)}.\n`);
    hasFailed = problems.length > 0;
    await steps.invalidateChanged(changes);
  }

  async function reload(): Promise<void> {
    try {
      await attemptReload();
      await attemptReplan();
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
    reloadIfChanged() {
      isCheckRequested = true;
      request();
    },
    replan(changes) {
      growth = [...growth, ...changes];
      request();
    },
    async close() {
      isClosed = true;
      limit.clearQueue();
      // Runs after the current reload.
      await limit(() => {});
    },
  };
}
