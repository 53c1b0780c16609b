import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ownAccount } from '../../../../src/base/fairness/account.ts';
import type { RowsQuery, TableQuery } from '../../../../src/calls/call/ad-hoc-query.ts';
import { adHocQueries } from '../../../../src/calls/sandbox/ad-hoc-query.ts';
import { rowsQuery, writtenRowsQuery } from '../../../../src/calls/sandbox/rows-query.ts';
import type { Endpoint } from '../../../../src/definitions/endpoints/endpoint.ts';
import { filterFields } from '../../../../src/sql/filter/filter-fields.ts';
import { filterJson } from '../../../../src/sql/filter/filter-json.ts';
import type { OrderKey } from '../../../../src/sql/filter/row-order.ts';
import { plainResult } from '../../executor/support/result.ts';
import { openStoredWorld, printedRows, type StoredWorld } from '../support/stored-world.ts';
import type { Written } from './evaluate.ts';
import { columns, type TriedRow } from './rows.ts';

const schema = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  ...columns,
];

/** An endpoint with a table of all rows, whose own result has them ordered by their ids. */
const endpointFile = `/*
id: 00000000-0000-4000-8000-000000000045
name: tried
maxRows: 10000
sandbox: true
filterable: true
*/
WITH rows_of_it AS (SELECT * FROM logs.tried) SELECT * FROM rows_of_it ORDER BY id`;

export interface FilterWorld extends AsyncDisposable {
  readonly endpoint: Endpoint;
  readonly stored: StoredWorld;
  /** The rows of the result that a filter and an order as texts select. */
  written(texts: { readonly filter?: string; readonly order?: string }): Promise<Record<string, unknown>[]>;
  /** The rows of the table that a filter selects. */
  ofTable(filter: Written, order?: readonly OrderKey[]): Promise<Record<string, unknown>[]>;
  plan(query: RowsQuery): Promise<TableQuery>;
}

/** A store with these rows. */
export async function openFilterWorld(rows: readonly TriedRow[]): Promise<FilterWorld> {
  const stored = await openStoredWorld({
    now: () => BigInt(Date.UTC(2025, 2, 2)) * 1000n,
    async writeFiles({ sources, endpoints }) {
      await writeFile(path.join(sources, 'tried.json'), JSON.stringify(schema));
      await writeFile(path.join(endpoints, 'tried.sql'), endpointFile);
    },
    rowsOf: () => rows,
  });
  const [endpoint] = stored.endpoints;
  const [table] = endpoint?.tables ?? [];
  if (endpoint === undefined || table === undefined) throw new Error('No endpoint');
  const queries = adHocQueries({ queries: stored.queries });
  const { signal } = new AbortController();
  const plan = (query: RowsQuery) => queries.plan(endpoint, query, ownAccount, signal);
  const run = async (query: RowsQuery | undefined) => {
    const planned = query && (await plan(query));
    const { plan: ran, maxRows } = planned ?? endpoint;
    const result = await stored.engine.run({ plan: ran, parameters: new Map(), maxRows, signal });
    return printedRows(await plainResult(result));
  };
  const fields = filterFields(table.plan.columns);
  return {
    ...{ endpoint, stored, plan },
    written: async (texts) => run(writtenRowsQuery(endpoint, texts)),
    ofTable: async (filter, order = []) =>
      run(rowsQuery({ endpoint, table, fields, parameter: 'where', filter: filterJson(filter), order })),
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  };
}
