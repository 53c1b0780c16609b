import type { Store } from '../src/engines/duckdb/store/store.ts';

/** The part of a store that an engine uses, with a record of the statements that read the rows of results. */
export interface RecordingStore extends Pick<Store, 'connect' | 'read'> {
  /** In the order of their starts. Statements that only evaluate constants are not recorded. */
  readonly statements: readonly string[];
}

/** Records every statement that DuckDB runs within a read of this store. */
export function recordingStore(store: Pick<Store, 'connect' | 'read'>): RecordingStore {
  const statements: string[] = [];
  const reading = new WeakSet<object>();
  return {
    statements,
    async connect() {
      const connection = await store.connect();
      const { run, prepare } = connection;
      const record = (sql: string) => {
        if (reading.has(connection)) statements.push(sql);
      };
      // If the engine used another method, nothing would be recorded, and every proof would fail.
      connection.run = (sql, ...rest) => {
        record(sql);
        return run.call(connection, sql, ...rest);
      };
      connection.prepare = async (sql) => {
        const statement = await prepare.call(connection, sql);
        const { stream } = statement;
        statement.stream = () => {
          record(sql);
          return stream.call(statement);
        };
        return statement;
      };
      return connection;
    },
    read(connection, task, afterwards) {
      const recorded: typeof task = async (isFlatOnly) => {
        reading.add(connection);
        try {
          return await task(isFlatOnly);
        } finally {
          reading.delete(connection);
        }
      };
      return store.read(connection, recorded, afterwards);
    },
  };
}
