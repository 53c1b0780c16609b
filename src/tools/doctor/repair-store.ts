import { rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError } from '../../base/errors/command-error.ts';
import { exists } from '../../base/system/exists.ts';
import { keepName, setAside } from '../../base/system/keep-copy.ts';
import { syncFile } from '../../base/system/replace-file.ts';
import { addedFieldsFolder, writeAddedFields } from '../../definitions/sources/added-fields.ts';
import { unfinishedStoreFile } from '../../engines/duckdb/store/file/make-store-file.ts';
import { checkpointLog, usualLog } from '../../engines/duckdb/store/log/examine-log.ts';
import { refuseWithoutSpace } from '../../rows/backup/free-space.ts';
import { type ExaminedStore, refuseInUse, storeFiles } from './examine-store.ts';
import { salvage } from './salvage.ts';

interface RepairOptions {
  readonly dataDir: string;
  readonly memoryLimit: string;
  readonly signal: AbortSignal;
}

/**
 * Repairs what can be repaired of an examined store. Each file that is changed is kept under another name beside it, so that the
 * store can be put back as it was.
 *
 * @returns the names of the kept files
 * @throws CommandError if another process has used the store meanwhile; StoreError if one has it open; errors of the file system
 */
export async function repairStore(
  { file, bytes, needs, tables, preview }: ExaminedStore,
  { dataDir, memoryLimit, signal }: RepairOptions,
): Promise<readonly string[]> {
  const before = await stateOf(file);
  const kept: string[] = [];
  if (needs.file && tables !== undefined) {
    await refuseWithoutSpace(dirname(file), bytes);
    const made = unfinishedStoreFile(file, 'repaired');
    await salvage(preview.file, made, tables, { memoryLimit, signal });
    await refuseChanged(file, before);
    kept.push(await keepName(file));
    // The logs last: until then, they are refused as those of another file. Without them, the old file would lack their rows.
    await rename(made, file);
    for (const log of [usualLog(file), checkpointLog(file)])
      if (await exists(log)) kept.push(await setAside(log));
  } else if (needs.logs) {
    await refuseChanged(file, before);
    kept.push(...(await replaceLogs(file, preview.file)));
  }
  for (const { source, text } of needs.fields) {
    if (text === undefined) continue;
    kept.push(await keepName(join(addedFieldsFolder(dataDir), `${source}.json`)));
    await writeAddedFields(addedFieldsFolder(dataDir), source, text);
  }
  await syncFile(dirname(file));
  return kept;
}

/** The usual log first. If this is interrupted, the next start recognises the commits that it has from a checkpoint's log. */
async function replaceLogs(file: string, made: string): Promise<string[]> {
  const kept: string[] = [];
  for (const pathOf of [usualLog, checkpointLog]) {
    const [log, next] = [pathOf(file), pathOf(made)];
    const isNew = await exists(next);
    if (await exists(log)) kept.push(await (isNew ? keepName(log) : setAside(log)));
    if (isNew) await rename(next, log);
  }
  return kept;
}

async function stateOf(file: string): Promise<string> {
  const states = await Promise.all(
    storeFiles(file).map((path) =>
      stat(path).then(
        ({ ino, size, mtimeMs }) => [ino, size, mtimeMs],
        () => 'missing',
      ),
    ),
  );
  return JSON.stringify(states);
}

async function refuseChanged(file: string, before: string): Promise<void> {
  await refuseInUse(file);
  if ((await stateOf(file)) !== before)
    throw new CommandError('Another process has used the store meanwhile. Nothing was changed.');
}
