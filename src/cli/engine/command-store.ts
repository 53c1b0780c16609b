import { join } from 'node:path';
import { type OpenedDuckDb, openDuckDb } from '../../app/engine-process/open-duckdb.ts';
import { duckDbSettings } from '../../app/engines/duckdb/open-engine-process.ts';
import type { StoreTask } from '../../app/engines/engine/engine-definition.ts';
import { engineOf } from '../../app/engines/registry.ts';
import { CommandError } from '../../base/errors/command-error.ts';
import { exists } from '../../base/system/exists.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { serverHolding } from '../../engines/duckdb/store/file/server-file.ts';
import { storeFileName } from '../../engines/duckdb/store/file/store-file-name.ts';

/** The store, or the gateway that has it. */
export type CommandStore =
  | { readonly store: OpenedDuckDb }
  | { readonly server: Awaited<ReturnType<typeof serverHolding>> };

/**
 * Refuses what is done in the store of `DATA_DIR`, in the engine's words if its rows are elsewhere.
 *
 * @throws CommandError
 */
export function refuseWithoutStore(config: Pick<Config, 'engine'>, task: StoreTask): void {
  const { elsewhere } = engineOf(config);
  if (elsewhere !== undefined) throw new CommandError(elsewhere.refusal(task));
}

/**
 * Refuses to go on without a store, because opening one would create it.
 *
 * @param advice what to do about it
 * @throws CommandError
 */
export async function refuseMissingStore({ dataDir }: Pick<Config, 'dataDir'>, advice = ''): Promise<void> {
  if (await exists(join(dataDir, storeFileName))) return;
  throw new CommandError(`There is no store in DATA_DIR (${dataDir}).${advice === '' ? '' : ` ${advice}`}`);
}

/**
 * Opens the store in this process, or finds the gateway that has it.
 *
 * @param drop what goes with its values
 * @throws StoreError if the store can't be opened, or another program than a gateway has it
 */
export async function openCommandStore(
  config: Config,
  sources: readonly Source[],
  hooks: Parameters<typeof openDuckDb>[1],
  drop: readonly string[] = [],
): Promise<CommandStore> {
  try {
    return { store: await openDuckDb({ ...duckDbSettings(config, sources), drop }, hooks) };
  } catch (error) {
    return { server: await serverHolding(config.dataDir, error) };
  }
}
