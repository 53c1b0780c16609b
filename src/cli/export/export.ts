import { rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { sourceExporter } from '../../app/gateway/source-exporter.ts';
import { loadServedSources } from '../../app/schema/load-schema.ts';
import { readableError, UsageError } from '../../base/errors/command-error.ts';
import { ownAccount } from '../../base/fairness/account.ts';
import { syncFile, writeNew } from '../../base/system/replace-file.ts';
import { removeUnfinished, unfinishedFile } from '../../base/system/unfinished-file.ts';
import { plainLog } from '../../base/terminal/log.ts';
import { counted } from '../../base/text/counted.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { refuseExisting } from '../../rows/backup/refuse-existing.ts';
import {
  type EncodedRows,
  type ExportFormat,
  encodeRows,
  exportFormatNames,
} from '../../rows/export/export-formats.ts';
import { type ExportedRange, exportThrough } from '../../rows/export/export-through.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { parseTimestamp } from '../../sql/values/timestamp-text.ts';
import { datetimeTextOfMicros } from '../../sql/values/value-text.ts';
import { openCommandStore, refuseMissingStore, refuseWithoutStore } from '../engine/command-store.ts';
import { interruptible } from '../engine/interruptible.ts';
import { findServedSource } from '../options/find-named.ts';
import { type Moment, readMoment } from '../options/option-values.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { isBrokenPipe, writePieces } from '../output/write-pieces.ts';

export interface ExportOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly format?: ExportFormat | undefined;
  /** A path; `-` is standard output. */
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
}

interface ExportEnvironment {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Pick<Writable, 'write'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Writes the rows of a source in a range of time, in the order of time, to a file or to standard output. The number of rows
 * is written to standard error.
 *
 * @returns the exit code
 * @throws CommandError, StoreError, GatewayError, ProblemsError
 */
export function exportCommand(
  sourceName: string,
  options: ExportOptions,
  config: Config,
  environment: ExportEnvironment = { stdout: process.stdout, stderr: process.stderr, now: Date.now },
): Promise<number> {
  return interruptible(async (signal) => {
    const { output = '-', force = false } = options;
    const format = options.format ?? formatOfName(output);
    refuseWithoutStore(config, 'export');
    const { from, to } = rangeOf(options, environment.now());
    if (output === '-' && isBinary(format) && environment.stdout.isTTY === true)
      throw new UsageError(
        `${format === 'arrow' ? 'Arrow' : 'Parquet'} is not for a terminal. Write it to a file: --output <file>`,
      );
    const range = { source: sourceName, format, from, to };
    try {
      if (output !== '-' && !force) await refuseExisting(resolve(output), output);
      const rows = await withRows(range, config, environment, signal, async ({ pieces, count }) => {
        if (output === '-') await writePieces(pieces, environment.stdout);
        else await writeFile(output, pieces, { force });
        return count();
      });
      environment.stderr.write(`exported ${counted(rows, 'row')} of ${sourceName}\n`);
      return 0;
    } catch (error) {
      signal.throwIfAborted();
      if (isBrokenPipe(error)) return exitCodes.brokenPipe;
      throw readableError(error);
    }
  });
}

function isBinary(format: ExportFormat): boolean {
  return format === 'parquet' || format === 'arrow';
}

/**
 * The limits of the range, as times.
 *
 * @param now milliseconds since the epoch
 * @throws UsageError
 */
function rangeOf(options: ExportOptions, now: number): Pick<ExportedRange, 'from' | 'to'> {
  const [from, to] = [readMoment('--from', options.from, now), readMoment('--to', options.to, now)];
  if (from !== undefined && to !== undefined && from.micros >= to.micros)
    throw new UsageError(`--from ${options.from} must be before --to ${options.to}.`);
  const text = (moment: Moment | undefined) =>
    moment === undefined ? undefined : `${datetimeTextOfMicros(moment.micros)}Z`;
  return { from: text(from), to: text(to) };
}

const suffixes: Readonly<Record<string, ExportFormat>> = {
  '.parquet': 'parquet',
  '.csv': 'csv',
  '.arrow': 'arrow',
  '.arrows': 'arrow',
};

/** @throws UsageError for names that promise another format: `import` would read them so. */
function formatOfName(output: string): ExportFormat {
  const [suffix = ''] = /\.(?:parquet|csv|tsv|gz|zst|arrows?|feather)$/i.exec(output) ?? [];
  if (suffix === '') return 'ndjson';
  const format = suffixes[suffix.toLowerCase()];
  if (format !== undefined) return format;
  throw new UsageError(
    `${output}: rows are exported as ${exportFormatNames.join(', ')}. Choose another name, or say --format.`,
  );
}

/** Runs a task on the rows, from the gateway that has the store or from the store itself. */
async function withRows<T>(
  range: ExportedRange,
  config: Config,
  { stderr }: ExportEnvironment,
  signal: AbortSignal,
  task: (rows: EncodedRows) => Promise<T>,
): Promise<T> {
  const loaded = await loadServedSources(config);
  const { sources } = loaded;
  const source = findServedSource(loaded, range.source);
  await refuseMissingStore(config);
  await using opened = new AsyncDisposableStack();
  const log = plainLog((text) => void stderr.write(text));
  const found = await openCommandStore(config, sources, { log });
  if ('server' in found)
    return task(await exportThrough(found.server, { ...range, source: source.name }, signal));
  const { store } = found;
  opened.defer(() => store.close());
  const analyzer = await Analyzer.start(analyzerSettings(config));
  opened.defer(() => analyzer.close());
  const { engine } = store;
  const exportSource = sourceExporter({ planner: new LocalPlanner(analyzer), engine });
  const [from, to] = [range.from, range.to].map((text) =>
    text === undefined ? undefined : parseTimestamp(text),
  );
  return await task(encodeRows(await exportSource(source, { from, to }, ownAccount, signal), range.format));
}

/** The file has its name once it is complete. Only its owner can read it. */
async function writeFile(
  output: string,
  pieces: AsyncIterable<Uint8Array>,
  { force }: { readonly force: boolean },
): Promise<void> {
  const target = resolve(output);
  const unfinished = unfinishedFile(target);
  try {
    await writeNew(unfinished, async (to) => {
      for await (const piece of pieces) await to.writeFile(piece);
      await to.sync();
    });
    if (!force) await refuseExisting(target, output);
    await rename(unfinished, target);
    await syncFile(dirname(target));
  } finally {
    await removeUnfinished(unfinished);
  }
}
