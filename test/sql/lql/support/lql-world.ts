import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ownAccount } from '../../../../src/base/fairness/account.ts';
import { adHocQueries } from '../../../../src/calls/sandbox/ad-hoc-query.ts';
import { regexpMistake } from '../../../../src/sql/regexp/parse.ts';
import { plainResult } from '../../../calls/executor/support/result.ts';
import { openStoredWorld, printedRows } from '../../../calls/sandbox/support/stored-world.ts';

/** A column as `bq show --schema` prints it. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
  readonly fields?: readonly SchemaField[];
}

/** A table of rows that LQL can ask, in the way that callers' texts go. */
export interface LqlWorld extends AsyncDisposable {
  /** Rows of the answer, as REST prints them. */
  ask(text: string, language?: 'lql' | 'sql'): Promise<Record<string, unknown>[]>;
  /** What the clock of queries shows: microseconds since the epoch. */
  now: bigint;
}

const source = 'events';

const endpointFile = `/*
id: 00000000-0000-4000-8000-000000000001
name: ${source}
maxRows: 10000
sandbox: true
*/
WITH ${source} AS (SELECT * FROM logs.${source}) SELECT id FROM ${source}`;

/**
 * An endpoint whose one table, `events`, has these columns behind `id` and `timestamp`.
 *
 * @param rows with the values of the columns, as JSON
 */
export async function openLqlWorld(
  columns: readonly SchemaField[],
  rows: readonly object[],
  now: bigint,
): Promise<LqlWorld> {
  const schema = [
    { name: 'id', type: 'STRING', mode: 'REQUIRED' },
    { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
    ...columns,
  ];
  const clock = { now };
  const world = await openStoredWorld({
    now: () => clock.now,
    async writeFiles({ sources, endpoints }) {
      await writeFile(path.join(sources, `${source}.json`), JSON.stringify(schema));
      await writeFile(path.join(endpoints, `${source}.sql`), endpointFile);
    },
    rowsOf: () => rows,
  });
  const [endpoint] = world.endpoints;
  if (endpoint === undefined) throw new Error('No endpoint');
  const queries = adHocQueries({ queries: world.queries, regexpMistake });
  return Object.assign(clock, {
    async ask(text: string, language: 'lql' | 'sql' = 'lql') {
      const signal = AbortSignal.timeout(20_000);
      const { plan, maxRows } = await queries.plan(endpoint, { language, text }, ownAccount, signal);
      const result = await world.engine.run({ plan, parameters: new Map(), maxRows, signal });
      return printedRows(await plainResult(result));
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  });
}
