import { rename, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { CommandError } from '../../base/errors/command-error.ts';
import { keepName } from '../../base/system/keep-copy.ts';
import { syncFile } from '../../base/system/replace-file.ts';
import { removeUnfinished, unfinishedFile } from '../../base/system/unfinished-file.ts';
import { counted } from '../../base/text/counted.ts';
import { readFormat, refusedFormat } from '../../engines/duckdb/store/tables/metadata.ts';
import { withDatabase } from '../../rows/backup/backup-database.ts';
import { refuseWithoutSpace } from '../../rows/backup/free-space.ts';
import { type Manifest, readManifest, writeManifest } from '../../rows/backup/manifest.ts';
import type { ExamineOptions } from './examine-store.ts';
import type { Finding } from './examine-tables.ts';
import { type ExaminedTable, examineTables, tableFindings } from './examine-tables.ts';
import { salvage } from './salvage.ts';

/** A backup as it was found. */
export interface ExaminedBackup {
  readonly file: string;
  readonly bytes: number;
  readonly findings: readonly Finding[];
  /** Undefined if the backup can't be opened, and the next one too. */
  readonly tables: readonly ExaminedTable[] | undefined;
  readonly manifest: Manifest | undefined;
}

/**
 * Examines a backup without changing it.
 *
 * @throws errors of the file system; the signal's reason
 */
export async function examineBackup(file: string, options: ExamineOptions): Promise<ExaminedBackup> {
  const { memoryLimit } = options;
  const { size: bytes } = await stat(file);
  try {
    return await withDatabase(file, { memoryLimit, isReadOnly: true }, async (connection) => {
      const manifest = await readManifest(connection, file);
      const refusal = refusedFormat(await readFormat(connection));
      if (refusal !== undefined) throw new CommandError(`The store in it ${refusal}`);
      const tables = await examineTables(connection, options);
      const repair = 'All readable rows are copied into a new file, which can be restored.';
      const findings = [...tableFindings(tables, repair), ...countFindings(tables, manifest)];
      return { file, bytes, findings, tables, manifest };
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const finding = { part: basename(file), problem: error.message, repair: undefined };
    return { file, bytes, findings: [finding], tables: undefined, manifest: undefined };
  }
}

function countFindings(tables: readonly ExaminedTable[], { rows }: Manifest): Finding[] {
  const found = new Map(tables.map((each) => [each.table.name, each]));
  return Object.entries(rows).flatMap(([name, wanted]) => {
    const table = found.get(name);
    if (table?.isIntact === false || table?.rows === wanted) return [];
    const problem = `It has ${counted(table?.rows ?? 0, 'row')} in place of ${counted(wanted, 'row')}.`;
    return [{ part: name, problem, repair: undefined }];
  });
}

/**
 * Makes a backup of the readable rows of a damaged one, under its name. The damaged file is kept.
 *
 * @returns the names of the kept files
 * @throws CommandError without enough space; errors of the file system; the signal's reason
 */
export async function repairBackup(
  { file, bytes, tables, manifest }: ExaminedBackup,
  { memoryLimit, signal }: Pick<ExamineOptions, 'memoryLimit' | 'signal'>,
): Promise<readonly string[]> {
  if (tables === undefined || manifest === undefined || tables.every(({ isIntact }) => isIntact)) return [];
  await refuseWithoutSpace(dirname(file), bytes);
  const made = unfinishedFile(file);
  try {
    await salvage(file, made, tables, { memoryLimit, signal });
    const counts = new Map(tables.map(({ table, rows }) => [table.name, rows]));
    await withDatabase(made, { memoryLimit, isReadOnly: false }, async (connection) => {
      const rows = Object.keys(manifest.rows).map((name) => [name, counts.get(name) ?? 0]);
      await writeManifest(connection, { ...manifest, rows: Object.fromEntries(rows) });
      await connection.run('CHECKPOINT');
    });
    await syncFile(made);
    const kept = await keepName(file);
    await rename(made, file);
    await syncFile(dirname(file));
    return [kept];
  } finally {
    await removeUnfinished(made);
  }
}
