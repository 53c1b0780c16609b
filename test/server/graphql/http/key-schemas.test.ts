import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql';
import { expect, test } from 'vitest';
import type { Caller } from '../../../../src/calls/access/caller/caller.ts';
import { callableNames, callableSchema } from '../../../../src/server/graphql/shape/callable-shapes.ts';
import { codes, runGraphql, testShape } from './support/graphql-gateway.ts';

const holder = { redact: false, scopes: new Set(['query'] as const) };
const keys = [
  { ...holder, name: 'counting', secret: 'counting', endpoints: new Set(['api-counts']) },
  { ...holder, name: 'nothing', secret: 'nothing', endpoints: new Set(['gone']) },
  { ...holder, name: 'pinned', secret: 'pinned', pins: new Map([['project', 'demo']]) },
];
const by = (key: string) => ({ 'X-API-KEY': key });

/** The printed schema that a key sees. */
async function seenBy(key: string): Promise<string> {
  const { post } = await runGraphql({ keys });
  const { json } = await post({ query: getIntrospectionQuery() }, by(key));
  return printSchema(buildClientSchema(json.data as unknown as IntrospectionQuery));
}

test('introspection shows a key the endpoints that it may call, and their types', async () => {
  const seen = await seenBy('counting');
  expect(seen).toContain('apiCounts(');
  expect(seen).not.toMatch(/logs_?all/i);
  expect(await seenBy('key')).toMatch(/logs_?all/i);
});

test('so do the fields that describe endpoints', async () => {
  const { post } = await runGraphql({ keys });
  const query = '{ endpoints { name } other: endpoint(name: "logs.all") { name } }';
  const { json } = await post({ query }, by('counting'));
  expect(json.data).toEqual({ endpoints: [{ name: 'api-counts' }], other: null });
});

test('an endpoint that a key may not call is as unknown to it as one that there is not, and so is each type', async () => {
  const { post, calls } = await runGraphql({ keys });
  const ask = (query: string, key: string) => post({ query }, by(key));
  const known = '{ logsAll(project: "demo") { id } }';
  for (let round = 0; round < 2; round++) {
    expect((await ask(known, 'key')).json.data).toMatchObject({ logsAll: [{}] });
    const [refused, missing] = [
      await ask(known, 'counting'),
      await ask('{ logsNot(project: "demo") { id } }', 'counting'),
    ];
    expect(codes(refused)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(refused.text.replaceAll('logsAll', 'logsNot')).toBe(missing.text);
  }
  const near = await ask(
    '{ logsAl(project: "demo") { id } ...on LogsAllTable { edgeLogs { id } } }',
    'counting',
  );
  expect(near.text).not.toMatch(/logsAll[^T]|edgeLogsTail/);
  expect((await ask('{ logsAl(project: "demo") { id } }', 'key')).text).toContain('logsAll');
  expect(calls.map(({ payer }) => payer.key)).toEqual(['owner', 'owner']);
});

test('a key that may call nothing has a schema as well', async () => {
  const { post } = await runGraphql({ keys });
  const { json } = await post(
    { query: '{ endpoints { name } __schema { queryType { name } } }' },
    by('nothing'),
  );
  expect(json.data).toEqual({ endpoints: [], __schema: { queryType: { name: 'Query' } } });
});

test('an argument with a pinned value can be left out, and endpoints without the parameter are not there', async () => {
  const { post, calls } = await runGraphql({ keys });
  const { json } = await post({ query: '{ logsAll { id } }' }, by('pinned'));
  expect(json.errors).toBeUndefined();
  expect(calls.map(({ parameters }) => parameters.get('project'))).toEqual(['demo']);
  const seen = await seenBy('pinned');
  expect(seen).not.toContain('apiCounts');
  expect(seen).not.toContain('"demo"');
});

test('keys that may call the same share a schema, whatever their values are', () => {
  const caller = (bounds: Partial<Caller>): Caller => ({ ...holder, name: 'a', ...bounds });
  const names = (bounds: Partial<Caller>) => callableNames(callableSchema(caller(bounds), testShape()));
  const pinned = names({ pins: new Map([['project', 'a']]) });
  expect(names({ pins: new Map([['project', 'b']]) })).toBe(pinned);
  expect(names({ projects: new Set(['a']) })).not.toBe(pinned);
  expect(names({ projects: new Set(['b']) })).toBe(names({ projects: new Set(['a']) }));
});
