import { readableError } from '../../base/errors/command-error.ts';
import { megabytes } from '../../base/forms/bytes.ts';
import type { Output } from '../../base/terminal/output.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { rowSchemas, type TableRows } from '../../engines/duckdb/store/database/held-files.ts';
import { examineBackup, repairBackup } from '../../tools/doctor/examine-backup.ts';
import { type ExamineOptions, withExaminedStore } from '../../tools/doctor/examine-store.ts';
import type { ExaminedTable, Finding } from '../../tools/doctor/examine-tables.ts';
import { repairStore } from '../../tools/doctor/repair-store.ts';
import { refuseWithoutStore } from '../engine/command-store.ts';
import { interruptible } from '../engine/interruptible.ts';
import { describeRows } from '../output/describe-rows.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { progressOn, type Terminal } from '../output/progress.ts';
import { stepProgress } from '../output/step-progress.ts';

/** The options of the command: see its help. */
export interface DoctorOptions {
  readonly dataDir?: string | undefined;
  readonly backup?: string | undefined;
  readonly repair?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** What was examined, and what was done. */
interface Report {
  readonly kind: 'store' | 'backup';
  readonly file: string;
  readonly bytes: number;
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  /** Undefined if they can't be read. */
  readonly rows: TableRows | undefined;
  /** The names of the files that a repair kept. Undefined without a repair. */
  readonly kept: readonly string[] | undefined;
}

/**
 * Examines a store or a backup, and repairs it on demand.
 *
 * @returns the exit code: 1 if something is wrong and was not repaired
 * @throws CommandError, StoreError
 */
export function doctorCommand(
  { dataDir, backup, repair = false, json = false }: DoctorOptions,
  settings: Pick<Config, 'engine' | 'dataDir' | 'duckdbMemoryLimit'>,
  { out }: Output,
  terminal: Terminal = process.stderr,
): Promise<number> {
  return interruptible(async (signal) => {
    if (backup === undefined) refuseWithoutStore(settings, 'check');
    const { onStep, stop } = stepProgress(progressOn(terminal, () => performance.now()));
    const options = { memoryLimit: settings.duckdbMemoryLimit, signal, onStep };
    try {
      const report =
        backup === undefined
          ? await onStore(dataDir ?? settings.dataDir, options, repair)
          : await onBackup(backup, options, repair);
      stop();
      out(json ? documentOf(report) : textOf(report));
      return isWell(report) ? exitCodes.success : exitCodes.failure;
    } catch (error) {
      throw readableError(error);
    } finally {
      stop();
    }
  });
}

function onStore(dataDir: string, options: ExamineOptions, repair: boolean): Promise<Report> {
  return withExaminedStore(dataDir, options, async (examined) => {
    const { file, bytes, findings, notes } = examined;
    const kept = repair ? await repairStore(examined, { ...options, dataDir }) : undefined;
    return { kind: 'store', file, bytes, findings, notes, rows: rowsOf(examined.tables), kept };
  });
}

async function onBackup(path: string, options: ExamineOptions, repair: boolean): Promise<Report> {
  const examined = await examineBackup(path, options);
  const kept = repair ? await repairBackup(examined, options) : undefined;
  const { file, bytes, findings } = examined;
  return { kind: 'backup', file, bytes, findings, notes: [], rows: rowsOf(examined.tables), kept };
}

function rowsOf(tables: readonly ExaminedTable[] | undefined): TableRows | undefined {
  const own = tables?.filter(({ table }) => rowSchemas.includes(table.schema));
  return own && new Map(own.map(({ table, rows }) => [table.name, rows]));
}

/** Whether nothing is wrong, or all of it was repaired. */
function isWell({ findings, kept }: Report): boolean {
  return findings.every(({ repair }) => kept !== undefined && repair !== undefined);
}

function documentOf({ rows, kept, ...report }: Report): string {
  const { findings } = report;
  const document = {
    ...report,
    findings: findings.map(({ part, problem, repair }) => ({ part, problem, repair: repair ?? null })),
    rows: rows === undefined ? null : Object.fromEntries(rows),
    repaired: kept !== undefined,
    kept: kept ?? [],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function textOf(report: Report): string {
  const { kind, file, bytes, findings, notes, rows, kept } = report;
  const lines = [
    `${kind} ${file} (${megabytes(bytes)}): ${rows === undefined ? "its rows can't be read" : describeRows(rows)}`,
    ...findings.flatMap(({ part, problem, repair }) => [
      `error: ${part}: ${problem}`,
      ...(repair === undefined
        ? []
        : [kept === undefined ? `  with --repair: ${repair}` : `  repaired: ${repair}`]),
    ]),
    ...notes.map((note) => `note: ${note}`),
    ...(kept ?? []).map((name) => `kept: ${name}`),
    ...(findings.length === 0 ? ['Nothing is wrong.'] : []),
  ];
  return lines.map((line) => `${visibleText(line)}\n`).join('');
}
