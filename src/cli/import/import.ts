import { resolve } from 'node:path';
import { engineOf } from '../../app/engines/registry.ts';
import { explainFailure } from '../../app/failures/explain-failure.ts';
import { UsageError, unreadableFile } from '../../base/errors/command-error.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { formatProblem } from '../../base/errors/problem.ts';
import { type Clock, systemClock } from '../../base/system/clock.ts';
import { UnfitFile } from '../../base/system/read-written-file.ts';
import { type Log, plainLog } from '../../base/terminal/log.ts';
import { counted } from '../../base/text/counted.ts';
import { rowsReplaced } from '../../calls/records/row-changes.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { timeLimits } from '../../definitions/settings/ingest-settings.ts';
import { loadSources } from '../../definitions/sources/load-sources.ts';
import { isReference } from '../../definitions/sources/row-key.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { sourceByName } from '../../definitions/sources/source.ts';
import { StoreError } from '../../engines/duckdb/store/file/store-error.ts';
import { dryRun } from '../../rows/ingest/dry-run.ts';
import { acceptedTimes } from '../../rows/ingest/encode/accepted-times.ts';
import { isTimeZone, zoneExpected } from '../../rows/ingest/encode/time-zone.ts';
import { replacesByNothing } from '../../rows/ingest/ingest.ts';
import { type BadRowNotice, RowsRefused } from '../../rows/ingest/parse/bad-rows.ts';
import { RejectFile } from '../../rows/ingest/reject-file.ts';
import { openRowFile } from '../../rows/ingest/row-file.ts';
import { openRowTarget, type RowTarget } from '../../rows/ingest/row-target.ts';
import type { TextFormat } from '../../rows/ingest/text/text-format.ts';
import { UploadInterrupted } from '../../rows/ingest/upload.ts';
import { recordChange } from '../engine/record-change.ts';
import { unknownSourceText } from '../options/find-named.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { type Progress, progressOn, type Terminal } from '../output/progress.ts';
import { columnsText, dryRunText } from './dry-run-text.ts';
import { namedFiles } from './named-files.ts';

/** The arguments and options of the command line. */
export interface ImportArguments {
  readonly source: string;
  /** Paths; `-` is standard input. */
  readonly files: readonly string[];
  readonly skipBadRows?: boolean | undefined;
  /** The file for rejected rows. By default `<file>.rejects.ndjson` for each file. */
  readonly rejects?: string | undefined;
  /** Whether the rows of the one file replace all that the source has. */
  readonly replace?: boolean | undefined;
  /** The form of text files. By default, their names or their content tell. */
  readonly format?: TextFormat | undefined;
  /** The zone of times without an offset from UTC; UTC by default. */
  readonly zone?: string | undefined;
  /** Whether the rows are only checked. */
  readonly dryRun?: boolean | undefined;
}

type ImportSettings = Pick<
  Config,
  | 'engine'
  | 'dataDir'
  | 'sourcesDir'
  | 'recordCalls'
  | 'duckdbMemoryLimit'
  | 'duckdbThreads'
  | 'ingestMaxPastDays'
  | 'ingestMaxFutureSeconds'
>;

/** The streams of a process, and the time. */
interface ImportEnvironment {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
}

/**
 * Adds the rows of files to a source, each file completely or not at all: into the store or, while a server has it
 * open, through that server. Writes results to standard output, progress and errors to standard error.
 *
 * @returns the exit code: 1 when any file failed, 2 for an unknown source
 */
export async function importCommand(
  args: ImportArguments,
  settings: ImportSettings,
  environment: ImportEnvironment = { ...processStreams(), clock: systemClock },
): Promise<number> {
  const complain = (line: string) => void environment.stderr.write(`${line}\n`);
  const { source: sourceName, zone, rejects } = args;
  if (zone !== undefined && !isTimeZone(zone)) throw new UsageError(`--zone ${zone}: ${zoneExpected}`);
  const { elsewhere } = engineOf(settings);
  if (elsewhere !== undefined) {
    complain(elsewhere.refusal('import'));
    return 1;
  }
  const { sources, problems } = await loadSources(settings.sourcesDir, { dataDir: settings.dataDir });
  for (const problem of problems) complain(formatProblem(problem));
  const source = sourceByName(sources, sourceName);
  if (source === undefined) {
    complain(unknownSourceText(sources, sourceName));
    return exitCodes.wrongUse;
  }
  const files = await namedFiles(args.files);
  const refusal = args.replace === true ? replaceRefusal(source, files) : undefined;
  if (refusal !== undefined) {
    complain(refusal);
    return exitCodes.wrongUse;
  }
  if (args.dryRun === true)
    return await new ImportRun(undefined, source, args, settings, environment).all(files, rejects);
  let target: RowTarget;
  try {
    const { dataDir, duckdbMemoryLimit: memoryLimit, duckdbThreads: threads } = settings;
    const log = plainLog((line) => environment.stderr.write(line));
    const readable = files.filter((file) => file !== '-').map((file) => resolve(file));
    target = await openRowTarget({ dataDir, memoryLimit, threads, sources, log, readable });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    complain(explainFailure(error));
    return 1;
  }
  try {
    const run = new ImportRun(target, source, args, settings, environment);
    return await run.all(files, rejects);
  } finally {
    await target.close();
  }
}

/** Why rows can't replace all that a source has. */
function replaceRefusal(source: Source, files: readonly string[]): string | undefined {
  if (!isReference(source))
    return `--replace is for reference tables: the rows of ${source.name} have times. Delete rows with "rows delete", or import without --replace.`;
  return files.length > 1
    ? '--replace takes one file, whose rows replace all others in one commit.'
    : undefined;
}

function processStreams(): Pick<ImportEnvironment, 'stdin' | 'stdout' | 'stderr'> {
  return { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
}

class ImportRun {
  /** Undefined for a dry run. */
  readonly #target: RowTarget | undefined;
  readonly #source: Source;
  readonly #args: ImportArguments;
  #saidFinerTimes = false;
  readonly #settings: ImportSettings;
  readonly #environment: ImportEnvironment;
  readonly #progress: Progress;
  #imported = 0;
  #alreadyThere = 0;
  #replaced = 0;

  constructor(
    target: RowTarget | undefined,
    source: Source,
    args: ImportArguments,
    settings: ImportSettings,
    environment: ImportEnvironment,
  ) {
    this.#target = target;
    this.#source = source;
    this.#args = args;
    this.#settings = settings;
    this.#environment = environment;
    this.#progress = progressOn(environment.stderr, environment.clock.elapsed);
  }

  async all(files: readonly string[], rejects: string | undefined): Promise<number> {
    let failures = 0;
    if (this.#target === undefined) this.#say(columnsText(this.#source));
    const common = rejects === undefined ? undefined : new RejectFile(rejects);
    for (const file of files) {
      const name = file === '-' ? 'stdin' : file;
      const rejectFile = common ?? new RejectFile(`${name}.rejects.ndjson`);
      try {
        await this.#one(file, name, rejectFile, files.length > 1);
      } catch (error) {
        failures += 1;
        this.#complainOfFailure(name, error);
      } finally {
        if (rejectFile !== common) await rejectFile.close();
      }
    }
    await common?.close();
    if (this.#target !== undefined)
      this.#say(this.#summary(this.#imported, this.#alreadyThere, this.#replaced));
    return failures === 0 ? 0 : 1;
  }

  async #one(file: string, name: string, rejects: RejectFile, announced: boolean): Promise<void> {
    const { stdin } = this.#environment;
    const { format, zone, skipBadRows = false } = this.#args;
    const { duckdbMemoryLimit: memoryLimit, duckdbThreads: threads } = this.#settings;
    const rows = await openRowFile(file, { stdin, memoryLimit, threads, format, zone });
    this.#progress.start(name, rows.total);
    try {
      const progress = {
        onProgress: (done: number) => this.#progress.update(done),
        onEnd: () => this.#progress.phase('committing'),
      };
      const now = BigInt(this.#environment.clock.now()) * 1000n;
      const input = await rows.read(this.#source, progress, acceptedTimes(timeLimits(this.#settings), now));
      const onFinerTimes = () => this.#sayFinerTimes(name);
      if (this.#target === undefined) {
        const outcome = await dryRun(this.#source, input, { onFinerTimes });
        this.#progress.stop();
        if (input.hasFinerTimes?.() === true) onFinerTimes();
        this.#complainOfRows(name, outcome.badRows.named, outcome.badRows.count);
        if (this.#args.replace === true && outcome.rows === 0) throw replacesByNothing(this.#source);
        this.#say(dryRunText(name, this.#source, outcome));
        return;
      }
      const result = await this.#target.add(this.#source, input, {
        skipBadRows,
        isReplacing: this.#args.replace === true,
        onFinerTimes,
        ...(skipBadRows && { onBadRow: (row) => rejects.add(name, row) }),
      });
      this.#progress.stop();
      if (this.#args.replace === true && !this.#target.isGateway)
        await recordChange(this.#settings, this.#log, rowsReplaced(this.#source.name, result));
      if (input.hasFinerTimes?.() === true) onFinerTimes();
      this.#imported += result.imported;
      this.#alreadyThere += result.duplicates;
      this.#replaced += result.replaced;
      this.#complainOfRows(name, result.rejected, result.rejectedCount);
      if (result.rejectedCount > 0) {
        this.#complain(`${name}: ${counted(result.rejectedCount, 'row')} skipped, see ${rejects.path}`);
      }
      if (announced)
        this.#say(`${name}: ${this.#summary(result.imported, result.duplicates, result.replaced)}`);
    } finally {
      this.#progress.stop();
      rows.close();
    }
  }

  #sayFinerTimes(name: string): void {
    if (this.#saidFinerTimes) return;
    this.#saidFinerTimes = true;
    this.#complain(`${name}: some times are finer than a microsecond; they are cut to microseconds`);
  }

  #complainOfFailure(name: string, error: unknown): void {
    if (error instanceof RowsRefused) {
      const { named, count } = error.badRows;
      this.#complainOfRows(name, named, count);
      this.#complain(`${name}: nothing imported: ${counted(count, 'invalid row')}`);
    } else if (error instanceof UploadInterrupted) {
      // It may have ended just after the commit.
      this.#complain(`${name}: ${error.message} It may or may not have the rows. Import the file again.`);
    } else if (error instanceof UnfitFile) {
      this.#complain(`${name}: nothing imported. ${error.message}.`);
    } else if (error instanceof GatewayError) {
      this.#complain(`${name}: nothing imported. ${error.message}`);
    } else if (error instanceof Error && 'code' in error) {
      // The file of rejected rows has errors of its own.
      const isOfRows = !('path' in error) || error.path === name;
      const reason = isOfRows ? unreadableFile(name, error) : undefined;
      this.#complain(`${name}: nothing imported. ${reason === undefined ? error.message : `${reason}.`}`);
    } else throw error;
  }

  #complainOfRows(name: string, named: readonly BadRowNotice[], count: number): void {
    for (const { line, reason } of named) this.#complain(`${name}:${line}: ${reason}`);
    if (count > named.length)
      this.#complain(`${name}: and ${(count - named.length).toLocaleString('en')} more`);
  }

  #summary(imported: number, duplicates: number, replaced: number): string {
    const number = duplicates.toLocaleString('en');
    const others = isReference(this.#source)
      ? `${replaced.toLocaleString('en')} replaced${duplicates === 0 ? '' : `, ${number} repeated`}`
      : `${number} already existed`;
    return `imported ${counted(imported, 'row')} into ${this.#source.name} (${others})`;
  }

  get #log(): Log {
    return plainLog((text) => void this.#environment.stderr.write(text));
  }

  #say(line: string): void {
    this.#environment.stdout.write(`${line}\n`);
  }

  #complain(line: string): void {
    this.#environment.stderr.write(`${line}\n`);
  }
}
