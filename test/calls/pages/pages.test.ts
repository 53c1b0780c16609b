import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bothWays, keyColumns, keyTypes, orders, rowsSource, someRows } from './key-types.ts';
import { type AnswerRow, endpointTarget, PagedGateway } from './support.ts';

const newest = `/*
id: 3f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f02
name: newest
maxRows: 50
exportRows: 100000
sandbox: true
*/
WITH e AS (SELECT id, timestamp, n FROM logs.rows)
SELECT * FROM e ORDER BY timestamp DESC`;

const capped = `/*
id: 3f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f03
name: capped
maxRows: 50
exportRows: 25
*/
SELECT id, n FROM logs.rows ORDER BY n`;

const limited = `/*
id: 3f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f04
name: limited
maxRows: 50
cacheSeconds: 60
parameters:
  rows: { type: INT64, required: true }
*/
SELECT id, n FROM logs.rows ORDER BY n LIMIT @rows`;

const ofShop = `/*
id: 3f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f05
name: of.shop
maxRows: 50
sandbox: true
parameters:
  shop: { required: true }
  limit: { description: Its own parameter }
*/
WITH e AS (SELECT id, timestamp, n, shop FROM logs.rows WHERE shop = @shop AND (@limit IS NULL OR n < CAST(@limit AS INT64)))
SELECT * FROM e ORDER BY n DESC`;

const unordered = `/*
id: 3f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f06
name: unordered
maxRows: 50
*/
SELECT timestamp FROM logs.rows ORDER BY timestamp`;

const repeated = `/*
id: 3f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f07
name: repeated
maxRows: 50
*/
SELECT shop, n FROM logs.declared ORDER BY shop`;

const outer = `/*
id: 3f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f08
name: outer
maxRows: 50
parameters:
  below: { type: INT64, required: true }
*/
CREATE TEMP FUNCTION twice(x INT64) AS (2 * x);
SELECT id, n, twice(n) AS doubled FROM endpoints.newest WHERE n < @below ORDER BY n DESC`;

const rowCount = 90;

let gateway: PagedGateway;
beforeAll(async () => {
  gateway = await PagedGateway.open({
    'sources/rows.json': rowsSource,
    'sources/declared.json': JSON.stringify({ unique: ['shop'], fields: JSON.parse(rowsSource) as object }),
    'endpoints/types.sql': keyTypes,
    'endpoints/newest.sql': newest,
    'endpoints/capped.sql': capped,
    'endpoints/limited.sql': limited,
    'endpoints/of.shop.sql': ofShop,
    'endpoints/unordered.sql': unordered,
    'endpoints/repeated.sql': repeated,
    'endpoints/outer.sql': outer,
  });
  await gateway.add('rows', someRows(rowCount));
  await gateway.add('declared', someRows(10));
});
afterAll(() => gateway?.close());

const idsOf = (rows: readonly AnswerRow[]) => rows.map(({ id }) => id);

describe('pages have the rows of the whole result, in its order', () => {
  // The thorough tests try all of them.
  const cases = keyColumns.map((column, at) => [column, orders[at % orders.length] ?? ''] as const);
  test.each(cases)('by %s%s', async (column, order) => {
    const { walked, whole } = await bothWays(gateway, column, order);
    expect(walked).toEqual(whole);
    expect(walked).toHaveLength(rowCount);
  });

  test('by several keys, in both directions', async () => {
    const sql = 'SELECT float64, string, id FROM t ORDER BY float64 DESC, string NULLS LAST';
    const walked = await gateway.walk(endpointTarget('types', { sql, limit: '19' }));
    const whole = await gateway.get(endpointTarget('types', { sql: `${sql}, id` }));
    expect(idsOf(walked)).toEqual(idsOf(whole.body.result ?? []));
  });

  test('of groups, and of LQL', async () => {
    const sql = 'SELECT string, bytes, COUNT(*) AS c FROM t GROUP BY string, bytes ORDER BY COUNT(*) DESC';
    const walked = await gateway.walk(endpointTarget('types', { sql, limit: '2' }));
    const whole = await gateway.get(endpointTarget('types', { sql: `${sql}, string, bytes` }));
    expect(walked).toEqual(whole.body.result);
    const lql = 's:id s:n';
    const ofLql = await gateway.get(endpointTarget('newest', { lql: `f:e ${lql} s:timestamp`, limit: '10' }));
    expect(ofLql.body).toMatchObject({ result: { length: 10 } });
    expect(ofLql.next).toBeDefined();
  });
});

test('rows that arrive during a walk neither repeat rows nor hide them', async () => {
  const before = idsOf(await gateway.walk(endpointTarget('newest', { limit: '50' })));
  let arrived = 0;
  const walked = idsOf(
    await gateway.walk(endpointTarget('newest', { limit: '9' }), async (page) => {
      // Some come before the place of the walk, others after it.
      const rows = someRows(3, 1_000 + 3 * page).map((row, index) =>
        index === 0 ? { ...row, timestamp: '2026-01-01T00:00:00Z' } : row,
      );
      if (page > 5) return;
      arrived += rows.length;
      await gateway.add(
        'rows',
        rows.map((row, index) => ({ ...row, timestamp: index === 0 ? old(page) : row.timestamp })),
      );
    }),
  );
  expect(new Set(walked).size).toBe(walked.length);
  expect(walked.filter((id) => before.includes(id))).toEqual(before);
  const exported = await gateway.request(endpointTarget('newest', { format: 'csv' }));
  const lines = (await exported.text()).trim().split(/\r?\n/).slice(1);
  expect(lines).toHaveLength(before.length + arrived);
  const inExport = lines.map((line) => line.split(',')[0]);
  // The old ones came after the place of the walk.
  expect(walked).toHaveLength(before.length + 5);
  expect(inExport.filter((id) => walked.includes(id))).toEqual(walked);
});

/** A time before all other rows. */
function old(page: number): string {
  return new Date(Date.now() - 7_200_000 - page).toISOString();
}

describe('the ends of a walk', () => {
  test('exportRows ends it, and says so', async () => {
    const first = await gateway.get(endpointTarget('capped', { limit: '20' }));
    expect(first.headers.get('x-result-truncated')).toBeNull();
    const last = await gateway.get(first.next ?? '');
    expect(last.body.result).toHaveLength(5);
    expect(last.next).toBeUndefined();
    expect(last.headers.get('x-result-truncated')).toBe('true');
  });

  test('a LIMIT of the query ends it, and is no truncation', async () => {
    const pages = await gateway.walk(endpointTarget('limited', { rows: '12', limit: '5' }));
    expect(pages.map(({ n }) => n)).toEqual(Array.from({ length: 12 }, (_, n) => n));
    const last = await gateway.get(endpointTarget('limited', { rows: '5', limit: '5' }));
    expect([last.next, last.headers.get('x-result-truncated')]).toEqual([undefined, null]);
    const none = await gateway.get(endpointTarget('limited', { rows: '0', limit: '5' }));
    expect(none.body).toEqual({ result: [] });
    expect(await gateway.get(endpointTarget('limited', { rows: '-1', limit: '5' }))).toMatchObject({
      status: 422,
      body: { code: 'QUERY_FAILED' },
    });
  });

  test('cached pages are pages of their own', async () => {
    const target = endpointTarget('limited', { rows: '9', limit: '4' });
    const [first, again] = [await gateway.get(target), await gateway.get(target)];
    expect(again.headers.get('cache-status')).toContain('hit');
    expect(again.next).toBe(first.next);
    const [second, secondAgain] = [await gateway.get(first.next ?? ''), await gateway.get(first.next ?? '')];
    expect(secondAgain.body).toEqual(second.body);
    expect(second.body.result?.[0]).toMatchObject({ n: 4 });
    const whole = await gateway.get(endpointTarget('limited', { rows: '9' }));
    expect(whole.body.result).toHaveLength(9);
  });
});

describe('what is refused', () => {
  test.each([
    ['newest', { limit: '0' }, 'from 1 to 50'],
    ['newest', { limit: '51' }, 'from 1 to 50'],
    ['newest', { limit: '1e1' }, 'from 1 to 50'],
    [
      'unordered',
      { limit: '5' },
      "The result can't be read in pages: nothing in its result is known to identify a row",
    ],
    ['types', { limit: '5', sql: 'SELECT string FROM t' }, "can't be read in pages"],
  ])('%s with %o', async (name, parameters, text) => {
    const { status, body } = await gateway.get(endpointTarget(name, parameters as Record<string, string>));
    expect([status, body.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect(body.error).toContain(text);
  });

  test('rows that are not as unique as declared', async () => {
    expect(await gateway.get(endpointTarget('repeated', { limit: '5' }))).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('several rows have the same values in "shop"') as string },
    });
  });

  test('cursors that are forged, cut, of another endpoint, query, value or order', async () => {
    const cursorOf = async (target: string) =>
      new URLSearchParams((await gateway.get(target)).next?.split('?')[1]).get('after') ?? '';
    const own = await cursorOf(endpointTarget('newest', { limit: '5' }));
    const refused = async (name: string, after: string, more: Record<string, string> = {}) => {
      const { status, body } = await gateway.get(endpointTarget(name, { limit: '5', after, ...more }));
      expect([status, body.code], after).toEqual([400, 'INVALID_CURSOR']);
      expect(body.result).toBeUndefined();
      return body.error ?? '';
    };
    for (let at = 0; at < own.length; at += 11) {
      const other = own[at] === 'A' ? 'B' : 'A';
      expect(await refused('newest', own.slice(0, at) + other + own.slice(at + 1))).toContain('damaged');
    }
    for (const text of ['', own.slice(0, -1), own.slice(4), `${own}A`, '{}', ' ', 'A'.repeat(9_000), '%00'])
      await refused('newest', text);
    expect(await refused('capped', own)).toContain('another request');
    const sql = 'SELECT id, n FROM e ORDER BY n';
    expect(await refused('newest', own, { sql })).toContain('another request');
    const ofQuery = await cursorOf(endpointTarget('newest', { sql, limit: '5' }));
    expect(await refused('newest', ofQuery)).toContain('another request');
    expect(await refused('newest', ofQuery, { sql: `${sql} DESC` })).toContain('another request');
    const ofValue = await cursorOf(endpointTarget('limited', { rows: '20', limit: '5' }));
    expect(await refused('limited', ofValue, { rows: '21' })).toContain('another request');
  });

  test('a page of live answers', async () => {
    const response = await gateway.request(endpointTarget('newest', { limit: '5' }), {
      headers: { accept: 'text/event-stream' },
    });
    expect(response.status).toBe(400);
  });
});

test('an endpoint keeps its own parameter, and the link names that of pages', async () => {
  const target = endpointTarget('of.shop', { shop: 'north', limit: '40', page_limit: '6' });
  const first = await gateway.get(target);
  expect(first.body.result).toHaveLength(6);
  expect(first.next).toMatch(/limit=40&page_limit=6&after=/);
  const all = await gateway.walk(target);
  expect(all.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, at) => 38 - 2 * at));
});

test('an endpoint over another one, with a function of its own, has pages', async () => {
  const rows = await gateway.walk(endpointTarget('outer', { below: '25', limit: '10' }));
  expect(rows.map(({ n, doubled }) => [n, doubled])).toEqual(
    Array.from({ length: 25 }, (_, at) => [24 - at, 2 * (24 - at)]),
  );
});

test('the URL of the next page goes before the body that is sent again', async () => {
  const post = async (target: string, body: object) => {
    const response = await gateway.request(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const [, next = ''] = /^<([^>]*)>/.exec(response.headers.get('link') ?? '') ?? [];
    return { next, rows: ((await response.json()) as { result: AnswerRow[] }).result };
  };
  const body = { sql: 'SELECT id, n FROM e ORDER BY n', limit: 4 };
  const first = await post('/api/endpoints/query/newest', body);
  const second = await post(first.next, body);
  expect([...first.rows, ...second.rows].map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('a key with restrictions reads its own pages only', async () => {
  const make = async (values: object) => {
    const response = await gateway.request('/api/keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
    });
    return ((await response.json()) as { key: string }).key;
  };
  const [north, other] = [
    await make({ name: 'north', pins: { shop: 'north' } }),
    await make({ name: 'other', pins: { shop: 'north' } }),
  ];
  const rows = await gateway.walk(endpointTarget('of.shop', { page_limit: '9' }), undefined, north);
  expect(new Set(rows.map(({ shop }) => shop))).toEqual(new Set(['north']));
  const ofOwner = await gateway.get(endpointTarget('of.shop', { shop: 'south', page_limit: '9' }));
  const ofNorth = await gateway.get(endpointTarget('of.shop', { page_limit: '9' }), north);
  for (const [cursor, key] of [
    [ofOwner.next, north],
    [ofNorth.next, other],
    [ofNorth.next, 'a-key'],
  ]) {
    const { status, body } = await gateway.get(cursor ?? '', key);
    expect([400, 403]).toContain(status);
    expect(body.result).toBeUndefined();
  }
  const sql = 'SELECT id, shop FROM e ORDER BY id';
  const walked = await gateway.walk(endpointTarget('of.shop', { sql, page_limit: '9' }), undefined, north);
  expect(new Set(walked.map(({ shop }) => shop))).toEqual(new Set(['north']));
});

describe('GraphQL', () => {
  test('refuses an empty cursor', async () => {
    const { errors } = await gateway.graphql('{ newestConnection(after: "") { edges { cursor } } }');
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_CURSOR' } }]);
  });

  test('has connections to results and tables', async () => {
    const page = (after: string | null) => `{
      newestConnection(first: 20${after === null ? '' : `, after: "${after}"`}) {
        edges { cursor node { n } } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } truncated
      }
    }`;
    interface Page {
      readonly newestConnection: {
        readonly edges: readonly { readonly cursor: string; readonly node: { readonly n: string } }[];
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
      };
    }
    const first = (await gateway.graphql(page(null))).data as Page;
    const { edges, pageInfo } = first.newestConnection;
    expect(edges).toHaveLength(20);
    expect(pageInfo).toMatchObject({
      hasNextPage: true,
      hasPreviousPage: false,
      endCursor: edges[19]?.cursor,
    });
    const middle = (await gateway.graphql(page(edges[9]?.cursor ?? ''))).data as Page;
    expect(middle.newestConnection.edges.slice(0, 10)).toEqual(edges.slice(10));
    const ofTable = await gateway.graphql(
      '{ newestTables { eConnection(first: 2) { edges { node { id } } pageInfo { hasNextPage } } } }',
    );
    expect(ofTable).toMatchObject({
      data: { newestTables: { eConnection: { edges: { length: 2 }, pageInfo: { hasNextPage: true } } } },
    });
  });

  test('refuses cursors of another field, and has no connection where the order is not total', async () => {
    const cursor = '{ newestConnection(first: 1) { pageInfo { endCursor } } }';
    const { data } = await gateway.graphql(cursor);
    const { endCursor } = (data as { newestConnection: { pageInfo: { endCursor: string } } }).newestConnection
      .pageInfo;
    const refused = await gateway.graphql(
      `{ newestTables { eConnection(after: "${endCursor}") { edges { cursor } } } }`,
    );
    expect(refused.errors).toMatchObject([{ extensions: { code: 'INVALID_CURSOR' } }]);
    expect(await gateway.graphql('{ unorderedConnection { edges { cursor } } }')).toMatchObject({
      errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    });
    expect(await gateway.graphql('{ newestConnection(first: 51) { edges { cursor } } }')).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
  });
});

test('MCP tools read pages by cursor', async () => {
  const call = async (values: object) => {
    const response = await gateway.request('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'newest', arguments: values },
      }),
    });
    const { result } = (await response.json()) as {
      result: { structuredContent?: { rows: AnswerRow[]; next_cursor?: string }; isError?: boolean };
    };
    return result;
  };
  const rows: AnswerRow[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { structuredContent } = await call({ max_rows: 50, cursor });
    rows.push(...(structuredContent?.rows ?? []));
    cursor = structuredContent?.next_cursor;
  }
  expect(idsOf(rows)).toEqual(idsOf(await gateway.walk(endpointTarget('newest', { limit: '50' }))));
  expect(await call({ cursor: 'other' })).toMatchObject({ isError: true });
});

test('discovery says which results have pages, and why others have none', async () => {
  const { body } = await gateway.get('/api/endpoints/newest');
  expect(body).toMatchObject({
    pages: { order: ['timestamp DESC', 'id'], keys: { limit: 'limit', after: 'after' } },
    tables: [{ name: 'e', pages: { order: ['timestamp DESC', 'id'] } }],
  });
  const unpaged = await gateway.get('/api/endpoints/unordered');
  expect(unpaged.body).toMatchObject({
    pages: { refused: expect.stringContaining('identify a row') as string },
  });
});
