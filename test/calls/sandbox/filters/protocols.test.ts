import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { launchOpened } from '../../../../src/app/gateway/launch-gateway.ts';
import { Workspace } from '../../../acceptance/support/workspace.ts';

const people = `
WITH p AS (
  SELECT * FROM UNNEST([
    STRUCT('ann' AS name, 3 AS age, 'north' AS shop, ['x', 'y'] AS tags, STRUCT('M' AS city, 8 AS zip) AS home),
    STRUCT('bob', 5, 'north', ['z'], STRUCT('N', 9)),
    STRUCT('cy', 7, 'north', CAST([] AS ARRAY<STRING>), STRUCT('O', 7)),
    STRUCT('dan', 9, 'south', ['x'], STRUCT('P', 6))
  ])
)
SELECT * FROM p WHERE shop = @shop ORDER BY age DESC LIMIT 2`;

const head = (number: number, settings: string) =>
  `/*\nid: 00000000-0000-4000-8000-00000000000${number}\nname: ${settings}\n*/`;

const files = {
  people: `${head(1, 'people\nfilterable: true\nsandbox: true\ncacheSeconds: 600\nexportRows: 100\nparameters: {shop: {default: north}}')}${people}`,
  plain: `${head(2, 'plain\nparameters: {shop: {default: north}}')}${people}`,
  own: `${head(3, 'own\nfilterable: true\nparameters: {filter: {}, order: {}, where: {}}')}
    SELECT @filter AS filter, @order AS ordering, @where AS wanted`,
  functions: `${head(4, 'functions\nfilterable: true')}
    CREATE TEMP FUNCTION twice(x INT64) AS (2 * x);
    SELECT twice(n) AS result, n FROM UNNEST([3, 1, 2]) AS n ORDER BY n DESC NULLS FIRST -- the end
    ;`,
};

let url: string;
let stop: AsyncDisposableStack;
beforeAll(async () => {
  await using started = new AsyncDisposableStack();
  const workspace = await Workspace.create();
  started.defer(() => workspace.remove());
  await workspace.write(
    'sources/app.json',
    JSON.stringify([
      { name: 'id', type: 'STRING', mode: 'REQUIRED' },
      { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
    ]),
  );
  for (const [name, text] of Object.entries(files)) await workspace.write(`endpoints/${name}.sql`, text);
  const config = readConfig({ ...workspace.environment, API_KEY: 'owner' });
  const log = { info() {}, warn() {}, error() {} };
  const opened = started.use(await launchOpened(config, { log }));
  const { server } = opened.gateway;
  ({ url } = await server.listen({ host: '127.0.0.1', port: 0 }));
  started.defer(() => server.close());
  stop = started.move();
});
afterAll(() => stop?.[Symbol.asyncDispose]());

const headers = { 'X-API-KEY': 'owner', 'Content-Type': 'application/json' };
const ask = async (path: string, sent: RequestInit = {}) => {
  const answer = await fetch(`${url}${path}`, { headers, ...sent });
  return { answer, status: answer.status, text: await answer.text() };
};
const rest = async (endpoint: string, parameters: Record<string, string>, sent?: RequestInit) => {
  const query = new URLSearchParams(parameters).toString();
  const { answer, status, text } = await ask(`/api/endpoints/query/${endpoint}?${query}`, sent);
  return { answer, status, text, rows: JSON.parse(text).result as Record<string, unknown>[] };
};
const namesOf = (rows: readonly Record<string, unknown>[]) => rows.map(({ name }) => name);
const graphql = async (query: string, variables = {}) =>
  JSON.parse((await ask('/graphql', { method: 'POST', body: JSON.stringify({ query, variables }) })).text);

describe('on REST', () => {
  test('the result is filtered, not what it is made of', async () => {
    expect(namesOf((await rest('people', {})).rows)).toEqual(['cy', 'bob']);
    expect(namesOf((await rest('people', { filter: '{"age":{"lt":6}}' })).rows)).toEqual(['bob']);
    expect((await rest('people', { filter: '{"name":{"eq":"ann"}}' })).rows).toEqual([]);
    expect(namesOf((await rest('people', { order: 'name' })).rows)).toEqual(['bob', 'cy']);
    expect(namesOf((await rest('people', { shop: 'south', filter: 'home.city:P' })).rows)).toEqual(['dan']);
  });

  test.each<[string, unknown]>([
    ['an object', { filter: { tags: { eq: 'z' } } }],
    ['a text of JSON', { filter: '{"tags":{"eq":"z"}}' }],
    ['LQL', { filter: 'tags:@>z' }],
  ])('a body has %s', async (_name, body) => {
    const { rows } = await rest('people', {}, { method: 'POST', body: JSON.stringify(body) });
    expect(namesOf(rows)).toEqual(['bob']);
  });

  test('exports and estimates are filtered', async () => {
    const { text } = await ask('/api/endpoints/query/people?format=ndjson&filter=age:5');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(['bob']);
    expect((await ask('/api/endpoints/query/people?dry_run=true&filter=age:x')).status).toBe(400);
    expect((await ask('/api/endpoints/query/people?dry_run=true&filter=age:5')).status).toBe(200);
  });

  test.each([
    ['filter={"age":{"eq":1},"age":{"eq":2}}', 'filter.age: given several times.', 'filter'],
    ['filter={"home":{"city":{"regex":"("}}}', 'filter.home.city.regex: Cannot parse', 'filter'],
    ['filter=[]', 'LQL: ', 'filter'],
    ['filter=x:1', 'there is no', 'filter'],
    ['order=-', 'order: rows can', 'order'],
    ['filter={}&sql=SELECT 1', 'reads others', 'filter'],
    ['order=age&lql=f:p', 'reads others', 'order'],
    ['filter[age]=1', 'expected one value', 'filter'],
    ['filter={}&filter={}', 'given 2 times', 'filter'],
  ])('%s is refused', async (query, message, parameter) => {
    const { status, text } = await ask(`/api/endpoints/query/people?${query}`);
    expect(status).toBe(400);
    const error = JSON.parse(text);
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT', parameter });
    expect(error.error).toContain(message === 'there is no' ? 'has no field x' : message);
  });

  test('an empty filter is none', async () => {
    for (const query of ['filter=', 'order=', 'filter={}', 'filter=&order=', 'filter=%20{}']) {
      const { text } = await ask(`/api/endpoints/query/people?${query}`);
      expect(namesOf(JSON.parse(text).result)).toEqual(['cy', 'bob']);
    }
  });

  test('an endpoint that is not filterable has no such parameters', async () => {
    const { rows, answer } = await rest('plain', { filter: '{"age":{"lt":6}}', order: 'name' });
    expect(namesOf(rows)).toEqual(['cy', 'bob']);
    expect(answer.headers.get('x-ignored-parameters')).toContain('filter');
  });

  test('declared parameters keep their names', async () => {
    const { rows } = await rest('own', { filter: 'a', order: 'b', where: 'c' });
    expect(rows).toEqual([{ filter: 'a', ordering: 'b', wanted: 'c' }]);
    const { data } = await graphql('{ own(filter: "a", where: "c", orderBy: [{field: FILTER}]) { wanted } }');
    expect(data).toEqual({ own: [{ wanted: 'c' }] });
  });

  test('a result is a table, whatever its query has before and after it', async () => {
    const all = [3, 2, 1].map((n) => ({ result: 2 * n, n }));
    expect((await rest('functions', { filter: '{"n":{"gte":1}}' })).rows).toEqual(all);
    expect((await rest('functions', { filter: 'result:<6', order: 'n' })).rows).toEqual(
      all.slice(1).reverse(),
    );
  });
});

describe('results are cached', () => {
  const statusOf = async (filter: string) =>
    (await rest('people', { filter })).answer.headers.get('cache-status') ?? '';

  test('and filters share them that differ in the order of members only', async () => {
    expect(await statusOf('{"age":{"gt":1,"lt":8},"name":{"ne":"q"}}')).not.toContain('hit');
    expect(await statusOf('{"name":{"ne":"q"},"age":{"lt":8,"gt":1}}')).toContain('hit');
    for (const other of [
      '{"age":{"gt":2,"lt":8},"name":{"ne":"q"}}',
      '{"age":{"gte":1,"lt":8},"name":{"ne":"q"}}',
      '{"age":{"gt":1,"lt":8},"name":{"ne":"Q"}}',
      '{"home":{"zip":{"gt":1,"lt":8}},"name":{"ne":"q"}}',
      '{"not":{"age":{"gt":1,"lt":8},"name":{"ne":"q"}}}',
    ])
      expect(await statusOf(other)).not.toContain('hit');
  });
});

describe('in GraphQL', () => {
  test('results and tables are filtered and ordered', async () => {
    const query = `query ($where: PeopleRowFilter, $of: PeoplePRowFilter) {
      people(where: $where, orderBy: [{field: HOME_ZIP}]) { name }
      peopleTables {
        p(where: $of, orderBy: [{field: AGE, direction: DESC}], limit: 2) { name }
        all: p(where: {}) { name }
      }
    }`;
    const { data, errors } = await graphql(query, {
      where: { home: { zip: { in: ['9', 7] } } },
      of: { or: [{ tags: { eq: 'x' } }, { age: { lte: '5' } }] },
    });
    expect(errors).toBeUndefined();
    expect(namesOf(data.people)).toEqual(['cy', 'bob']);
    expect(namesOf(data.peopleTables.p)).toEqual(['dan', 'bob']);
    expect(data.peopleTables.all).toHaveLength(4);
  });

  test.each([
    ['{ home: { city: { regex: "(" } } }', 'where.home.city.regex: Cannot parse regular expression'],
    ['{ age: { eq: "x" } }', 'where.age.eq: expected a whole number'],
    ['{ and: [{ name: { eq: null } }] }', 'where.and[0].name.eq: expected Unicode text, got null'],
    ['{ name: {} }', 'where.name: the object is empty'],
    ['{ name: { eq: "\\u0000" } }', 'where.name.eq: a text can’t contain the character NUL'],
    ['{ name: { contain: "a" } }', 'contain'],
    ['{ age: { eq: 1.5 } }', 'where.age.eq: expected a whole number'],
    [`${'{ not: '.repeat(11)}{ age: { eq: 1 } }${' }'.repeat(11)}`, 'nested too deeply'],
    [`${'{ not: '.repeat(40)}{ age: { eq: 1 } }${' }'.repeat(40)}`, 'levels of fields'],
  ])('%s is refused', async (where, message) => {
    const { errors } = await graphql(`{ people(where: ${where}) { name } }`);
    expect(errors[0].message).toContain(message);
    expect(['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED']).toContain(errors[0].extensions.code);
  });

  test('null and empty orders are none', async () => {
    const { data } = await graphql('{ people(where: null, orderBy: []) { name } }');
    expect(namesOf(data.people)).toEqual(['cy', 'bob']);
  });
});

test('tools of agents take a filter as an object or as a text', async () => {
  const call = async (filter: unknown, order?: string) => {
    const params = { name: 'people', arguments: { filter, ...(order !== undefined && { order }) } };
    const { text } = await ask('/mcp', {
      method: 'POST',
      headers: { ...headers, Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return JSON.parse(text).result;
  };
  expect(namesOf((await call({ age: { gt: 5 } })).structuredContent.rows)).toEqual(['cy']);
  expect(namesOf((await call('age:>5')).structuredContent.rows)).toEqual(['cy']);
  expect(namesOf((await call({}, 'age')).structuredContent.rows)).toEqual(['bob', 'cy']);
  expect((await call({ age: { eq: 2 ** 60 } })).content[0].text).toContain('too many digits');
  expect((await call({ age: { eqq: 1 } })).content[0].text).toContain(
    'filter.age.eqq: INT64 has no operator',
  );
});
