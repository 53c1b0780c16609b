import { createInterface } from 'node:readline/promises';
import { loadServedSources } from '../../app/schema/load-schema.ts';
import { sourceCatalog } from '../../app/schema/source-catalog.ts';
import { readableError, UsageError } from '../../base/errors/command-error.ts';
import { plainLog } from '../../base/terminal/log.ts';
import { counted } from '../../base/text/counted.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import { rowsDeleted } from '../../calls/records/row-changes.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { deletingThrough } from '../../rows/deletion/delete-through.ts';
import { type DeleteRows, rowDeleter } from '../../rows/deletion/row-deleter.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { openCommandStore, refuseMissingStore, refuseWithoutStore } from '../engine/command-store.ts';
import { interruptible } from '../engine/interruptible.ts';
import { recordChange } from '../engine/record-change.ts';
import { findServedSource } from '../options/find-named.ts';
import { readMoment } from '../options/option-values.ts';

export interface DeleteOptions {
  readonly before?: string | undefined;
  readonly where?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

export interface DeleteEnvironment {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: { write(text: string): unknown };
  readonly stderr: NodeJS.WritableStream;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Deletes rows of a source: through the gateway that has the store, or in the store itself. On a terminal, it asks before.
 *
 * @returns the exit code
 * @throws CommandError, StoreError, GatewayError, ProblemsError
 */
export function deleteRowsCommand(
  source: string,
  options: DeleteOptions,
  config: Config,
  environment: DeleteEnvironment = { ...processStreams(), now: Date.now },
): Promise<number> {
  return interruptible(async (signal) => {
    const { stdin, stdout } = environment;
    const { where, dryRun: isDryRun = false, yes: isConfirmed = false } = options;
    refuseWithoutStore(config, 'delete');
    const before = readMoment('--before', options.before, environment.now());
    if (before === undefined && where === undefined)
      throw new UsageError('Say which rows: with --before, --where or both.');
    if (!isDryRun && !isConfirmed && stdin.isTTY !== true)
      throw new UsageError('This is not a terminal to ask on. Use --yes, or --dry-run to count the rows.');
    try {
      return await withDeleter(source, config, environment, async (deleteRows) => {
        const deletion = { source, before: before?.micros, where };
        const found = await deleteRows({ ...deletion, isDryRun: true }, signal);
        if (isDryRun || found === 0) {
          const would = `${counted(found, 'row')} of ${source} would be deleted`;
          stdout.write(`${isDryRun ? would : `${source} has no such rows`}\n`);
          return 0;
        }
        if (!isConfirmed && !(await confirm(found, source, environment, signal))) {
          stdout.write('nothing was deleted\n');
          return 1;
        }
        const deleted = await deleteRows({ ...deletion, isDryRun: false }, signal);
        stdout.write(`deleted ${counted(deleted, 'row')} of ${source}\n`);
        return 0;
      });
    } catch (error) {
      signal.throwIfAborted();
      throw readableError(error);
    }
  });
}

function processStreams(): Omit<DeleteEnvironment, 'now'> {
  return { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
}

async function confirm(
  rows: number,
  source: string,
  { stdin, stderr }: DeleteEnvironment,
  signal: AbortSignal,
): Promise<boolean> {
  using lines = createInterface({ input: stdin, output: stderr });
  const answer = await lines.question(`Delete ${counted(rows, 'row')} of ${source}? [y/N] `, { signal });
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Runs a task that deletes rows, through the gateway that has the store or in the store itself. */
async function withDeleter<T>(
  source: string,
  config: Config,
  { stderr }: DeleteEnvironment,
  task: (deleteRows: DeleteRows) => Promise<T>,
): Promise<T> {
  await refuseMissingStore(config);
  const loaded = await loadServedSources(config);
  const { sources } = loaded;
  findServedSource(loaded, source);
  await using opened = new AsyncDisposableStack();
  const log = plainLog((text) => void stderr.write(text));
  const found = await openCommandStore(config, sources, { log });
  if ('server' in found) return task(deletingThrough(found.server));
  const { store } = found;
  opened.defer(() => store.close());
  const analyzer = await Analyzer.start(analyzerSettings(config));
  opened.defer(() => analyzer.close());
  const { engine, remover } = store;
  const deleteRows = rowDeleter({
    sources: () => sources,
    catalogOf: (source) => sourceCatalog([source]),
    planner: new LocalPlanner(analyzer),
    prepare: (plan) => engine.prepare(plan),
    remover,
    onDeleted: async () => undefined,
  });
  return await task(async (deletion, signal) => {
    const rows = await deleteRows(deletion, signal);
    if (!deletion.isDryRun) await recordChange(config, log, rowsDeleted(deletion, rows));
    return rows;
  });
}
