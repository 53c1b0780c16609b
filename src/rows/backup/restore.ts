import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError } from '../../base/errors/command-error.ts';
import type { Clock } from '../../base/system/clock.ts';
import { exists } from '../../base/system/exists.ts';
import { isCode } from '../../base/system/is-code.ts';
import { makeFolder } from '../../base/system/make-folder.ts';
import { syncFile, writeNew } from '../../base/system/replace-file.ts';
import { addedFieldsFolder, writeAddedFields } from '../../definitions/sources/added-fields.ts';
import type { TableRows } from '../../engines/duckdb/store/database/held-files.ts';
import { readServerFile } from '../../engines/duckdb/store/file/server-file.ts';
import { storeFileName } from '../../engines/duckdb/store/file/store-file-name.ts';
import { readFormat, refusedFormat } from '../../engines/duckdb/store/tables/metadata.ts';
import { withDatabase } from './backup-database.ts';
import { copyBytes } from './copy-bytes.ts';
import { refuseWithoutSpace } from './free-space.ts';
import { type Manifest, readManifest, removeManifest } from './manifest.ts';
import { Pace } from './pace.ts';
import type { OnStep } from './steps.ts';
import { verifyFile } from './verify-file.ts';

interface RestoreOptions {
  readonly dataDir: string;
  readonly memoryLimit: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onStep: OnStep;
  readonly freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

interface BackupRestored {
  readonly rows: TableRows;
  /** When the backup was made. */
  readonly createdAt: string;
}

/** The names of a store's unfinished files, which its next owner removes. */
const unfinished = /^(?:store\.duckdb|fields)\.\d+\.new(?:\.wal)?$/;

/** File systems have it in their topmost folder. */
const ofFileSystem = 'lost+found';

/**
 * Makes a data folder of a backup. The folder must be missing or empty. It has a store once the store is complete, verified
 * and on the disk.
 *
 * @throws CommandError; the signal's reason; errors of the file system
 */
export async function restore(file: string, options: RestoreOptions): Promise<BackupRestored> {
  const { dataDir, memoryLimit, signal, onStep } = options;
  await refuseUsedFolder(dataDir);
  const limits = { memoryLimit, isReadOnly: true };
  const { size } = await stat(file);
  const content = await withDatabase(file, limits, async (connection) => {
    const manifest = await readManifest(connection, file);
    const refusal = refusedFormat(await readFormat(connection));
    if (refusal !== undefined) throw new CommandError(`The store in ${file} ${refusal}`);
    return manifest;
  });
  await makeFolder(dataDir, 0o700);
  await removeLeftovers(dataDir);
  await refuseWithoutSpace(dataDir, size, options.freeBytes);
  const store = join(dataDir, storeFileName);
  const newStore = `${store}.${process.pid}.new`;
  const newFields = `${addedFieldsFolder(dataDir)}.${process.pid}.new`;
  try {
    await copy(file, newStore, size, options);
    const rows = new Map(Object.entries(content.rows));
    await verifyFile(newStore, {
      ...{ rows, memoryLimit, onStep },
      afterSlice: async () => signal.throwIfAborted(),
    });
    await withDatabase(newStore, { memoryLimit, isReadOnly: false }, async (connection) => {
      await removeManifest(connection);
      await connection.run('CHECKPOINT');
    });
    signal.throwIfAborted();
    await writeFields(newFields, content);
    await putInPlace({ dataDir, store, newStore, newFields });
    return { rows, createdAt: content.createdAt };
  } finally {
    for (const path of [newStore, `${newStore}.wal`, newFields])
      await rm(path, { recursive: true, force: true });
  }
}

async function refuseUsedFolder(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const left = leftovers(names);
  const others = names.filter((name) => !left.includes(name) && name !== ofFileSystem);
  if (others.length === 0) return;
  const server = await readServerFile(dataDir);
  const user = server === undefined ? '' : ` A gateway (pid ${server.pid}) may be using it.`;
  const found = others.slice(0, 5).join(', ');
  throw new CommandError(
    `DATA_DIR (${dataDir}) is not empty: it has ${found}.${user} Backups are restored into an empty folder only. Set DATA_DIR to another one.`,
  );
}

/**
 * What interrupted restorations leave, in the order of its removal. The fields get their name while the store is still an
 * unfinished file.
 */
function leftovers(names: readonly string[]): readonly string[] {
  const found = names.filter((name) => unfinished.test(name));
  const hasUnfinishedStore = found.some((name) => name.startsWith(storeFileName));
  if (!hasUnfinishedStore || names.includes(storeFileName)) return found;
  return [basename(addedFieldsFolder('.')), ...found];
}

async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of leftovers(await readdir(dataDir)))
    await rm(join(dataDir, name), { recursive: true, force: true });
}

async function copy(
  file: string,
  to: string,
  size: number,
  { clock, signal, onStep }: RestoreOptions,
): Promise<void> {
  const from = await open(file, 'r');
  try {
    let copied = 0;
    onStep('copying', 0, size);
    const onProgress = (bytes: number) => {
      copied += bytes;
      onStep('copying', copied, size);
    };
    const pace = new Pace(Number.POSITIVE_INFINITY, clock, signal);
    await writeNew(to, (target) => copyBytes(from, target, size, { pace, onProgress }));
  } finally {
    await from.close();
  }
}

async function writeFields(folder: string, { addedFields }: Manifest): Promise<void> {
  const entries = Object.entries(addedFields);
  if (entries.length === 0) return;
  await makeFolder(folder, 0o700);
  for (const [source, text] of entries) await writeAddedFields(folder, source, text);
}

/** The store last: without its fields, a gateway could not read it. */
async function putInPlace({
  dataDir,
  store,
  newStore,
  newFields,
}: Readonly<Record<'dataDir' | 'store' | 'newStore' | 'newFields', string>>): Promise<void> {
  await syncFile(newStore);
  const hasFields = await exists(newFields);
  if (hasFields) await rename(newFields, addedFieldsFolder(dataDir));
  try {
    // Unlike a rename, a link never replaces a store that a gateway has made meanwhile.
    await link(newStore, store);
  } catch (error) {
    if (hasFields) await rm(addedFieldsFolder(dataDir), { recursive: true, force: true });
    const exists = isCode(error, 'EEXIST');
    if (exists)
      throw new CommandError(`A gateway has made a store in DATA_DIR (${dataDir}) meanwhile.`, error);
    throw error;
  }
  await syncFile(dataDir);
}
