import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineOf } from '../../../src/app/engines/registry.ts';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { offeredFunctions } from '../../../src/calls/sandbox/offered-functions.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { type CallableFunction, callableFunctions } from '../../../src/sql/analyzer/callable-functions.ts';
import { AnalyzerUnavailableError } from '../../../src/sql/analyzer/error.ts';
import { functionSupport } from '../../docs/googlesql-functions.ts';
import { runGateway } from '../listener/running-gateway.ts';

describe('the functions of the analyzer', () => {
  let analyzer: Analyzer;
  let all: readonly CallableFunction[];
  beforeAll(async () => {
    analyzer = await Analyzer.start();
    all = await callableFunctions((method, request) => analyzer.call(method, request));
  });
  afterAll(() => analyzer?.close());

  const offered = (engine: 'duckdb' | 'bigquery') =>
    offeredFunctions(async () => all, engineOf({ engine }).hasFunction)();
  const names = (functions: readonly CallableFunction[]) => functions.map(({ name }) => name);

  test('have names as people write them, and their kinds', () => {
    expect(all).toEqual(
      expect.arrayContaining([
        { name: 'CAST', kind: 'scalar' },
        { name: 'COUNTIF', kind: 'aggregate' },
        { name: 'LAG', kind: 'window' },
        { name: 'MAX_BY', kind: 'aggregate' },
        { name: 'NET.HOST', kind: 'scalar' },
        { name: 'SUBSTR', kind: 'scalar' },
        { name: 'SUBSTRING', kind: 'scalar' },
      ]),
    );
    expect(names(all).filter((name) => !/^[A-Z][A-Z0-9_.]*$/.test(name))).toEqual([]);
    expect(names(all)).toEqual([...new Set(names(all))].toSorted());
  });

  test('are offered if the engine has them', async () => {
    const documented = await functionSupport(analyzer);
    const labels = (support: (text: string) => boolean) =>
      documented
        .filter((each) => each.kind !== 'operator' && support(each.support))
        .map(({ label }) => label);
    const onDuckDb = new Set(names(await offered('duckdb')));
    expect(labels((support) => support === 'yes').filter((label) => !onDuckDb.has(label))).toEqual([]);
    expect(labels((support) => support !== 'yes').filter((label) => onDuckDb.has(label))).toEqual([]);
    expect(onDuckDb).not.toContain('ST_AREA');
    const onBigQuery = names(await offered('bigquery'));
    expect(onBigQuery).toContain('ST_AREA');
    expect(onBigQuery).not.toContain('IFERROR');
  });
});

test('they are read once; a failure is not kept', async () => {
  const outcomes = [
    Promise.reject(new AnalyzerUnavailableError('The analyzer is away')),
    Promise.resolve([{ name: 'ABS', kind: 'scalar' } as const]),
  ];
  const list = offeredFunctions(
    () => outcomes.shift() ?? Promise.reject(new Error('asked again')),
    () => true,
  );
  await expect(list()).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  expect(await list()).toEqual([{ name: 'ABS', kind: 'scalar' }]);
  expect(await list()).toBe(await list());
});

test('GET /api/functions lists them, with an entity tag', async () => {
  const functions = [{ name: 'ABS', kind: 'scalar' } as const];
  const gateway = await runGateway({ functions: async () => functions });
  const reply = await gateway.call('/api/functions');
  expect([reply.status, JSON.parse(reply.body)]).toEqual([200, { functions }]);
  const known = [['If-None-Match', reply.headers.etag ?? '']] as const;
  expect((await gateway.call('/api/functions', { headers: known })).status).toBe(304);
  expect((await gateway.call('/api/functions', { method: 'POST' })).status).toBe(405);
  expect((await gateway.call('/api/functions', { anonymous: true })).status).toBe(401);
});

test('it needs a key that may query', async () => {
  const access = keyAccess([{ name: 'w', secret: 'key', redact: false, scopes: new Set(['write']) }]);
  const gateway = await runGateway({ access, functions: async () => [] });
  expect((await gateway.call('/api/functions')).status).toBe(403);
});
