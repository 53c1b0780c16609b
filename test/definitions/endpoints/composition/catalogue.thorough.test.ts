import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningGateway } from '../../../../src/app/gateway/run-gateway.ts';
import { type ServedRows, serveRows } from '../../../tools/emulators/bigquery/support/served-rows.ts';
import { endpointFile, type StartedGateway, startGateway } from '../support/both-engines.ts';

interface Row {
  readonly id: string;
  readonly n: number;
}

/** An endpoint with what it returns, computed without SQL. */
interface Query {
  readonly sql: string;
  readonly rows: (shop: string, least: number) => readonly Row[];
  /** How many sources it reads, those of what it reads included. */
  readonly size: number;
}

const stored = Array.from({ length: 40 }, (_, index) => ({
  ...{ id: `r${index % 13}`, timestamp: new Date(Date.UTC(2026, 0, 1, index)).toISOString() },
  ...{ shop: 'abc'.charAt(index % 3), n: (index * 7) % 11 },
})).map((row, index) => ({ ...row, id: `${row.id}-${index}`, name: row.id }));

let state = 20_261_201;
/** A number from 0 to below `count`, the same in each run. */
function below(count: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * count);
}

const ofSource: Query = {
  sql: 'SELECT name AS id, n FROM logs.sales WHERE shop = @shop AND n >= @least',
  rows: (shop, least) =>
    stored.filter((row) => row.shop === shop && row.n >= least).map(({ name, n }) => ({ id: name, n })),
  size: 1,
};

/** Reads another query with arguments of all kinds. */
function read(name: string, { rows, size }: Query): { readonly from: string } & Omit<Query, 'sql'> {
  const from = below(2) === 0 ? `endpoints.${name}` : `endpoints.${name}.\`rows\``;
  const added = below(3);
  switch (below(3)) {
    case 0:
      return {
        from: `${from}(shop => @shop, least => @least + ${added})`,
        rows: (s, l) => rows(s, l + added),
        size,
      };
    case 1:
      return { from: `${from}(least => ${added}, shop => (@shop))`, rows: (s) => rows(s, added), size };
    default:
      return { from: `${from}(shop => @shop, least => @least)`, rows, size };
  }
}

function summed(rows: readonly Row[]): readonly Row[] {
  const sums = new Map<string, number>();
  for (const { id, n } of rows) sums.set(id, (sums.get(id) ?? 0) + n);
  return [...sums].map(([id, n]) => ({ id, n }));
}

/** A query over one or two others, whose every parameter it uses. */
function over(names: readonly string[], known: ReadonlyMap<string, Query>): Query {
  const [a, b] = [0, 1].map(() => {
    const name = names[below(names.length)] ?? '';
    return read(name, known.get(name) ?? ofSource);
  }) as [ReturnType<typeof read>, ReturnType<typeof read>];
  const size = a.size + b.size;
  switch (below(4)) {
    case 0:
      return {
        sql: `SELECT id, n FROM ${a.from} WHERE n >= @least UNION ALL SELECT id, n FROM ${b.from}`,
        rows: (s, l) => [...a.rows(s, l).filter(({ n }) => n >= l), ...b.rows(s, l)],
        size,
      };
    case 1:
      return {
        sql: `SELECT id, SUM(x.n) AS n FROM ${a.from} AS x GROUP BY id HAVING SUM(x.n) >= @least`,
        rows: (s, l) => summed(a.rows(s, l)).filter(({ n }) => n >= l),
        size: a.size,
      };
    case 2:
      return {
        sql: `SELECT x.id, x.n - y.n AS n FROM ${a.from} AS x JOIN (SELECT id, SUM(n) AS n FROM ${b.from} GROUP BY id) AS y USING (id) WHERE x.n >= @least`,
        rows: (s, l) => {
          const right = new Map(summed(b.rows(s, l)).map(({ id, n }) => [id, n]));
          const left = a.rows(s, l).filter(({ id, n }) => right.has(id) && n >= l);
          return left.map(({ id, n }) => ({ id, n: n - (right.get(id) ?? 0) }));
        },
        size,
      };
    default:
      return {
        sql: `SELECT id, n FROM ${a.from} AS x WHERE n >= @least AND EXISTS (SELECT 1 FROM ${b.from} AS y WHERE y.id = x.id AND y.n > x.n)`,
        rows: (s, l) => {
          const right = b.rows(s, l);
          return a.rows(s, l).filter((x) => x.n >= l && right.some((y) => y.id === x.id && y.n > x.n));
        },
        size,
      };
  }
}

const queries = new Map<string, Query>([['q0', ofSource]]);
while (queries.size < 60) {
  // What reads more takes long to plan.
  const names = [...queries.keys()].filter((name) => (queries.get(name)?.size ?? 0) <= 4);
  queries.set(`q${queries.size}`, over(names, queries));
}
const settings =
  'maxRows: 10000\nsandbox: true\nparameters:\n  shop: {required: true}\n  least: {type: INT64, required: true}\n';
const files = Object.fromEntries(
  [...queries].map(([name, { sql }]) => [
    name,
    endpointFile(name, `WITH \`rows\` AS (${sql}) SELECT id, n FROM \`rows\``, settings),
  ]),
);

let rows: ServedRows;
let gateway: StartedGateway;
beforeAll(async () => {
  const columns = [
    { name: 'shop', type: 'STRING' },
    { name: 'name', type: 'STRING' },
    { name: 'n', type: 'INTEGER' },
  ];
  rows = await serveRows({ sales: { columns, rows: [] } });
  const prepareRows = async ({ rows: store }: RunningGateway) => {
    const lines = stored.map((row) => `${JSON.stringify(row)}\n`).join('');
    const body = (async function* () {
      yield Buffer.from(lines);
    })();
    await store?.receive('sales', body, { skipBadRows: false, signal: new AbortController().signal });
  };
  gateway = await startGateway('duckdb', rows, files, { prepareRows });
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rows?.[Symbol.asyncDispose]();
});

function sorted(all: readonly Row[]): readonly string[] {
  return all.map(({ id, n }) => `${id} ${n}`).sort();
}

test('each of 60 endpoints over each other returns what it says', async () => {
  for (const [name, query] of queries) {
    for (const [shop, least] of [
      ['a', 0],
      ['b', 2],
    ] as const) {
      const { status, json } = await gateway.call(`${name}?shop=${shop}&least=${least}`);
      const { result, error } = json as { result?: readonly Row[]; error?: string };
      expect({ name, status, error }).toEqual({ name, status: 200, error: undefined });
      expect({ name, rows: sorted(result ?? []) }).toEqual({ name, rows: sorted(query.rows(shop, least)) });
    }
  }
});
