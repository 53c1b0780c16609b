import { DuckDBInstance } from '@duckdb/node-api';
import { lockDown } from './database/open-database.ts';
import type { Store } from './store.ts';

/** A database without tables. It can evaluate constant expressions, but can't run queries. */
export async function openNoStore(): Promise<Pick<Store, 'connect' | 'read' | 'close'>> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_access: 'false',
  });
  await lockDown(instance);
  return {
    connect: () => instance.connect(),
    read: (_connection, task) => task(() => false),
    close: async () => instance.closeSync(),
  };
}
