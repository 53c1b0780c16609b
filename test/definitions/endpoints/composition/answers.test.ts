import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningGateway } from '../../../../src/app/gateway/run-gateway.ts';
import { type ServedRows, serveRows } from '../../../tools/emulators/bigquery/support/served-rows.ts';
import { endpointFile, engines, type StartedGateway, startGateway } from '../support/both-engines.ts';

const columns = [
  { name: 'shop', type: 'STRING' },
  { name: 'item', type: 'STRING' },
  { name: 'price', type: 'INTEGER' },
] as const;

const stored = [
  { id: '1', timestamp: '2026-01-01T00:00:00Z', shop: 'a', item: 'tea', price: 3 },
  { id: '2', timestamp: '2026-01-01T12:00:00Z', shop: 'a', item: 'cup', price: 7 },
  { id: '3', timestamp: '2026-01-02T00:00:00Z', shop: 'b', item: 'tea', price: 4 },
  { id: '4', timestamp: '2026-01-02T06:00:00Z', shop: 'a', item: 'tea', price: 3 },
];

let rows: ServedRows;
beforeAll(async () => {
  rows = await serveRows({ sales: { columns: [...columns], rows: stored } });
});
afterAll(() => rows?.[Symbol.asyncDispose]());

async function prepareRows({ rows: store }: RunningGateway) {
  const lines = stored.map((row) => `${JSON.stringify(row)}\n`).join('');
  const body = (async function* () {
    yield Buffer.from(lines);
  })();
  await store?.receive('sales', body, { skipBadRows: false, signal: new AbortController().signal });
}

const shop = 'parameters:\n  shop: {required: true}\n';
const orders = `WITH of_shop AS (SELECT * FROM logs.sales WHERE shop = @shop)
SELECT item, COUNT(*) AS n, SUM(price) AS total FROM of_shop WHERE price >= @least GROUP BY item ORDER BY item -- all`;
const files: Readonly<Record<string, string>> = {
  orders: endpointFile(
    'orders',
    orders,
    'parameters:\n  shop: {required: true}\n  least: {type: INT64, default: "1"}\nsandbox: true\n',
  ),
  'by.day': endpointFile(
    'by.day',
    'SELECT DATE(timestamp) AS day, COUNT(*) AS n FROM logs.sales GROUP BY day',
  ),
  'views/priced': 'SELECT id, item, price FROM logs.sales WHERE price IS NOT NULL',
  'views/of_items':
    '/*\nparameters:\n  items: {type: ARRAY<STRING>}\n  suffix: {default: "\'\\n"}\n*/\nSELECT CONCAT(item, @suffix) AS item FROM logs.sales WHERE item IN UNNEST(@items) OR ARRAY_LENGTH(@items) = 0;',
  'views/quoted':
    '/*\nparameters: {shop: {default: b}}\n*/\nSELECT id FROM logs.sales WHERE shop = @`shop` OR shop = @ /* é */ shop',
  'views/twice':
    '/*\nparameters: {x: {type: FLOAT64}}\n*/\nCREATE TEMP FUNCTION twice(v FLOAT64) AS (v + v);\nSELECT twice(@x) AS y',
};

/** Queries with what they give for the shop `a`. */
const cases: Readonly<Record<string, readonly [sql: string, result: readonly object[], settings?: string]>> =
  {
    'an endpoint with its default': [
      'SELECT item, total FROM endpoints.orders(shop => @shop) ORDER BY item',
      [
        { item: 'cup', total: 7 },
        { item: 'tea', total: 6 },
      ],
      shop,
    ],
    'an argument of constants': [
      "SELECT o.item FROM endpoints.orders(least => 2 + 2, shop => CONCAT('', 'a')) AS o",
      [{ item: 'cup' }],
    ],
    'the name of an endpoint as its alias': [
      "SELECT orders.item FROM ENDPOINTS.orders(shop => 'b')",
      [{ item: 'tea' }],
    ],
    'a name with a dot, in both spellings': [
      'SELECT a.day, b.n FROM endpoints.by.day AS a JOIN endpoints.`by.day` AS b USING (day) ORDER BY day',
      [
        { day: '2026-01-01', n: 2 },
        { day: '2026-01-02', n: 2 },
      ],
    ],
    'a parameter in quotes, and apart from its sign': [
      'SELECT id FROM views.quoted WHERE @shop IS NOT NULL',
      [{ id: '3' }],
      shop,
    ],
    'a path that is quoted as a whole': ['SELECT COUNT(*) AS n FROM `views.priced`', [{ n: 4 }]],
    'an entry of the WITH clause': [
      'SELECT id FROM endpoints.orders.of_shop(shop => @shop) ORDER BY id',
      [{ id: '1' }, { id: '2' }, { id: '4' }],
      shop,
    ],
    'in entries, subqueries and joins': [
      `WITH o AS (SELECT * FROM endpoints.orders(shop => @shop)), t AS (SELECT MAX(total) AS most FROM o)
     SELECT item, most, (SELECT COUNT(*) FROM views.priced AS p WHERE p.item = o.item) AS sales
     FROM o CROSS JOIN t WHERE item IN (SELECT item FROM endpoints.orders(shop => 'b'))`,
      [{ item: 'tea', most: 7, sales: 3 }],
      shop,
    ],
    'in pipe syntax': [
      'FROM endpoints.orders(shop => @shop) |> WHERE n > 1 |> RENAME total AS sum |> SELECT item, sum',
      [{ item: 'tea', sum: 6 }],
      shop,
    ],
    'NULL as an array without elements': ['SELECT COUNT(*) AS n FROM views.of_items()', [{ n: 4 }]],
    'texts that look like SQL': [
      "SELECT DISTINCT item FROM views.of_items(items => ['tea'], suffix => ') -- @shop') ORDER BY item",
      [{ item: 'tea) -- @shop' }],
    ],
    'a default that looks like SQL': [
      "SELECT DISTINCT item FROM views.of_items(items => ['tea']) ORDER BY item",
      [{ item: "tea'\n" }],
    ],
    'functions of what it reads, with its own': [
      'CREATE TEMP FUNCTION half(v FLOAT64) AS (v / 2);\nSELECT half(y) AS x, y FROM views.twice(x => half(3))',
      [{ x: 1.5, y: 3 }],
    ],
    'functions by two ways': [
      'SELECT a.y + b.y AS y FROM endpoints.four() AS a CROSS JOIN endpoints.six() AS b',
      [{ y: 10 }],
    ],
    'a value that GoogleSQL converts': ['SELECT y FROM views.twice(x => 2)', [{ y: 4 }]],
    'an alias that is called as the folder': [
      'SELECT e FROM (SELECT [1] AS list) AS endpoints, endpoints.list AS e',
      [{ e: 1 }],
    ],
  };

const composed = Object.entries(cases).map(([_, [sql, , settings]], index) => [
  `c${index}`,
  endpointFile(`c${index}`, sql, settings),
]);
const nested = {
  four: endpointFile(
    'four',
    'CREATE TEMP FUNCTION g(v FLOAT64) AS (v);\nSELECT g(y) AS y FROM views.twice(x => 2)',
  ),
  six: endpointFile('six', 'SELECT y FROM views.twice(x => 3)'),
  outer: endpointFile(
    'outer',
    'WITH rows_of AS (SELECT * FROM endpoints.middle(shop => @shop)) SELECT * FROM rows_of',
    `${shop}sandbox: true\n`,
  ),
  middle: endpointFile('middle', 'SELECT * FROM endpoints.orders.of_shop(shop => @shop)', shop),
};

describe.each(engines)('on %s, a query reads', (engine) => {
  let gateway: StartedGateway;
  beforeAll(async () => {
    const all = { ...files, ...nested, ...Object.fromEntries(composed) };
    gateway = await startGateway(engine, rows, all, { prepareRows });
  });
  afterAll(() => gateway?.[Symbol.asyncDispose]());

  test.each(
    Object.entries(cases).map(([name, [, result, settings]], index) => ({ name, result, settings, index })),
  )('$name', async ({ result, settings, index }) => {
    expect(await gateway.call(`c${index}${settings === undefined ? '' : '?shop=a'}`)).toEqual({
      status: 200,
      json: { result },
    });
  });

  test('through others, and callers query its tables', async () => {
    const sql = encodeURIComponent('SELECT COUNT(*) AS n FROM rows_of');
    expect(await gateway.call(`outer?shop=a&sql=${sql}`)).toEqual({
      status: 200,
      json: { result: [{ n: 3 }] },
    });
  });

  test('but a query of a caller does not', async () => {
    for (const read of ["endpoints.orders(shop => 'b')", 'views.priced', 'endpoints.`by.day`']) {
      const { status, json } = await gateway.call(
        `outer?shop=a&sql=${encodeURIComponent(`SELECT * FROM ${read}`)}`,
      );
      expect({ status, json }).toMatchObject({ status: 400, json: { error: expect.anything() } });
    }
  });
});
