import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type ClickhouseAnswer,
  type ClickhouseOrder,
  type ClickhouseStarted,
  clickhouseOrder,
} from './clickhouse-messages.ts';

/** What of the package is used. It is installed elsewhere, so that its types aren't known here. */
interface Chdb {
  readonly Session: new (
    folder: string,
  ) => {
    query(sql: string, format?: string): string;
    queryAsync(sql: string, options: { readonly format: string }): Promise<{ text(): string }>;
  };
}

// The first message is the order, each later one a query.
process.once('message', async (message) => {
  const { answer, started } = open(clickhouseOrder.parse(message));
  process.on('message', async (sql) => process.send?.(await answer(z.string().parse(sql))));
  process.send?.(started);
});

/** Opens ClickHouse with the rows in the order of its users: by tenant and time, in one part. */
function open({ packages, data, rows }: ClickhouseOrder) {
  const { Session } = createRequire(join(packages, 'package.json'))('chdb') as Chdb;
  const session = new Session(data);
  session.query(`
    CREATE TABLE edge_logs ENGINE = MergeTree ORDER BY (project, timestamp) AS
    SELECT assumeNotNull(project) AS project, assumeNotNull(timestamp) AS timestamp, * EXCEPT (project, timestamp)
    FROM file('${rows}')`);
  session.query('OPTIMIZE TABLE edge_logs FINAL');
  const [version, count] = z
    .tuple([z.string(), z.int()])
    .parse(JSON.parse(session.query('SELECT version(), count() FROM edge_logs', 'JSONCompactEachRow')));
  const started: ClickhouseStarted = { version, rows: count };
  return {
    started,
    async answer(sql: string): Promise<ClickhouseAnswer> {
      const start = performance.now();
      const result = await session.queryAsync(sql, { format: 'JSONCompactEachRow' });
      const rows = result
        .text()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
      return { ms: performance.now() - start, rows };
    },
  };
}
