import type { Source } from '../../../definitions/sources/source.ts';
import { type DatabaseOptions, openDatabase, openingError } from './database/open-database.ts';
import { type SourcePlan, sourcePlans } from './source-plan.ts';

/**
 * What opening a store with these sources would do to its rows. Changes none. Throws `StoreError` as `openStore` does, and
 * (`schema`) for a name of `drop` that is none of the store's.
 */
export async function planStore(
  options: DatabaseOptions,
  sources: readonly Source[],
  drop: readonly string[] = [],
): Promise<readonly SourcePlan[]> {
  const database = await openDatabase(options);
  try {
    const connection = await database.instance.connect();
    try {
      return await sourcePlans(connection, sources, drop);
    } finally {
      connection.closeSync();
    }
  } catch (error) {
    throw openingError(database.file, error);
  } finally {
    database.close();
  }
}
