import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import {
  call,
  logColumns,
  logRows,
  resultWith,
  runForAgents,
  shapeOf,
  textsOf,
  totals,
} from './support/agent.ts';

const totalColumns = totals.plan.columns;

describe('a call', () => {
  test('gives the rows as REST does, with a sentence and the same as text', async () => {
    const { connect, gateway } = await runForAgents();
    const result = await call(await connect(), 'logsAll', { project: 'a' });
    const rest = await gateway.call('/api/endpoints/query/logs.all?project=a', {
      anonymous: true,
      headers: [['X-API-KEY', 'owner']],
    });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual({
      rows: JSON.parse(rest.body).result,
      total_rows: 2,
      truncated: false,
    });
    const [sentence, json = ''] = textsOf(result);
    expect(sentence).toBe('2 rows.');
    expect(JSON.parse(json)).toEqual(result.structuredContent);
  });

  test('reads its arguments by the types of the parameters', async () => {
    const { connect, calls } = await runForAgents();
    await call(await connect(), 'logsAll', {
      project: 'ä "b"',
      level: 'error',
      count: 7,
      ids: [1, '9007199254740993'],
      since: '2025-01-31T10:00:00Z',
      filter: { a: [1, null] },
      code: null,
    });
    expect(Object.fromEntries(calls[0]?.parameters ?? [])).toEqual({
      project: 'ä "b"',
      level: 'error',
      count: 7n,
      ids: [1n, 9007199254740993n],
      since: 1_738_317_600_000_000n,
      filter: '{"a":[1,null]}',
      code: null,
    });
  });

  test('takes whole numbers and decimals of any length as texts', async () => {
    const values = {
      id: '-9223372036854775808',
      price: '0.123456789',
      mass: '1234567890123456789012345678901234567.5',
    };
    const types = { id: 'INT64', price: 'NUMERIC', mass: 'BIGNUMERIC' } as const;
    const parameters = Object.entries(types).map(([name, kind]) => ({
      ...{ name, type: { kind }, required: false },
    }));
    const example = { name: 'other', type: { kind: 'INT64' }, required: false } as const;
    const long = { ...example, values: ['5', '9007199254740993'], default: '9007199254740993', example: '5' };
    const endpoint = { ...totals, parameters: [...parameters, long] };
    const { connect, gateway, calls } = await runForAgents();
    gateway.useShape(shapeOf([endpoint]));
    const client = await connect();
    const [tool] = (await client.listTools()).tools;
    expect(tool?.inputSchema.properties).toMatchObject({
      id: { type: ['integer', 'string'] },
      price: { type: 'string' },
      mass: { type: 'string' },
      other: {
        type: ['integer', 'string'],
        enum: [5, '9007199254740993'],
        default: '9007199254740993',
        examples: [5],
      },
    });
    expect((await call(client, 'totals', values)).isError).toBeUndefined();
    expect(calls[0]?.parameters.get('id')).toBe(-9_223_372_036_854_775_808n);
    expect(calls[0]?.parameters.get('other')).toBe(9_007_199_254_740_993n);
    expect(calls[0]?.parameters.get('price')).toBe(values.price);
    expect(calls[0]?.parameters.get('mass')).toBe(values.mass);
  });

  test('keeps all digits of a whole number', async () => {
    const row = [9_007_199_254_740_993n, 1, 'x'];
    const { send } = await runForAgents(() => resultWith(totalColumns, [row]));
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'totals' } };
    const response = await send(JSON.stringify(message));
    expect(await response.text()).toContain('"structuredContent":{"rows":[{"total":9007199254740993,');
  });

  test('passes the values of the key', async () => {
    const { connect, calls } = await runForAgents();
    await call(await connect('pinned'), 'logsAll');
    expect(calls[0]?.parameters.get('project')).toBe('p');
    expect(calls[0]?.payer.key).toBe('pinned');
  });

  test('hides personal data as REST does', async () => {
    const rows = [[1n, 0.5, 'from 10.1.2.3']];
    const { connect } = await runForAgents(({ endpoint }) =>
      endpoint.name === 'totals'
        ? resultWith(totalColumns, rows)
        : resultWith(logColumns, [['10.1.2.3', 1n, []]]),
    );
    const firstOf = async (key: string, tool: string, headers = {}) => {
      const result = await call(await connect(key, headers), tool, tool === 'totals' ? {} : { project: 'a' });
      expect(textsOf(result).join()).toBe(textsOf(result).join().replace('10.1.2.3', '?'.repeat(8)));
      return JSON.stringify(result.structuredContent);
    };
    expect(await firstOf('owner', 'totals')).toContain('from REDACTED');
    expect(await firstOf('discreet', 'logsAll')).toContain('REDACTED');
    expect(await firstOf('owner', 'logsAll', { 'LF-ENDPOINT-REDACT-PII': 'true' })).toContain('REDACTED');
  });
});

describe('a long result', () => {
  test('has a hundred rows, unless more are asked for', async () => {
    const { connect } = await runForAgents(() => resultWith(logColumns, logRows(150), true));
    const client = await connect();
    const first = await call(client, 'logsAll', { project: 'a' });
    expect(first.structuredContent).toMatchObject({ total_rows: 150, truncated: true });
    expect(first.structuredContent?.rows).toHaveLength(100);
    expect(textsOf(first)[0]).toBe(
      "The first 100 of 150 rows. A higher max_rows returns more. The query has more rows than the endpoint's maximum of 1,000.",
    );
    const rowsOf = async (max_rows: unknown) =>
      (await call(client, 'logsAll', { project: 'a', max_rows })).structuredContent?.rows;
    expect(await rowsOf(150)).toHaveLength(150);
    expect(await rowsOf('3')).toHaveLength(3);
  });

  test('is cut where it would fill too much of a model’s context', async () => {
    const rows = Array.from({ length: 40 }, () => [1n, 1, 'é'.repeat(5_000)]);
    const { connect } = await runForAgents(() => resultWith(totalColumns, rows));
    const result = await call(await connect('totals-only'), 'totals', { max_rows: 2 });
    expect(result.structuredContent).toMatchObject({ total_rows: 40, truncated: true });
    expect(result.structuredContent?.rows).toHaveLength(6);
    expect(textsOf(result)[0]).toContain(
      'The first 6 of 40 rows. The others would exceed 64,000 bytes. Narrow the result by the arguments.',
    );
  });

  test('is an error if not even one row fits', async () => {
    const { connect } = await runForAgents(() => resultWith(totalColumns, [[1n, 1, 'x'.repeat(70_000)]]));
    const client = await connect();
    const tools: readonly [string, object, string][] = [
      ['totals', {}, 'Narrow the result by the arguments.'],
      ['logsAll', { project: 'a' }, 'Select fewer columns by logsAllQuery.'],
      ['logsAllQuery', { project: 'a', sql: 'SELECT 1' }, 'Select fewer columns or fields, aggregate'],
    ];
    for (const [name, values, advice] of tools) {
      const result = await call(client, name, { ...values });
      expect(result.isError).toBe(true);
      expect(textsOf(result)[0]).toContain(`at most 64,000 bytes. ${advice}`);
    }
  });
});

describe('an ad-hoc query', () => {
  test('returns its columns and rows', async () => {
    const { connect, calls } = await runForAgents();
    const result = await call(await connect(), 'logsAllQuery', {
      project: 'a',
      sql: 'SELECT * FROM edge_logs',
    });
    expect(result.structuredContent).toMatchObject({
      columns: [
        { name: 'id', type: 'STRING' },
        { name: 'timestamp', type: 'TIMESTAMP' },
        { name: 'metadata', type: 'ARRAY<STRUCT<path STRING>>' },
      ],
      rows: [{ id: 'id-0' }, { id: 'id-1' }],
    });
    expect(calls[0]?.text).toBe('sql SELECT * FROM edge_logs');
    await call(await connect(), 'logsAllQuery', { project: 'a', lql: 'f:edge_logs' });
    expect(calls[1]?.text).toBe('lql f:edge_logs');
  });

  test('needs a text, and does not belong to the tool of the stored query', async () => {
    const { connect } = await runForAgents();
    const client = await connect();
    const missing = await call(client, 'logsAllQuery', { project: 'a' });
    expect(textsOf(missing)).toEqual(['BAD_USER_INPUT: Give a query in "sql" or "lql".']);
    const both = await call(client, 'logsAllQuery', { project: 'a', sql: 'SELECT 1', lql: 'f:edge_logs' });
    expect(textsOf(both)).toEqual(['BAD_USER_INPUT: Give either "sql" or "lql", not both.']);
    const misplaced = await call(client, 'logsAll', { project: 'a', sql: 'SELECT 1' });
    expect(textsOf(misplaced)[0]).toContain('There is no argument "sql"');
  });

  test('reads only what the key may read', async () => {
    const { connect } = await runForAgents();
    const client = await connect('tenant');
    const authorise = async (sql: string) => {
      const { calls, connect: other } = await runForAgents();
      await call(await other('tenant'), 'logsAllQuery', { project: 'a', sql });
      const planned = await calls[0]?.plan(new AbortController().signal);
      return () => planned && calls[0]?.with(planned);
    };
    expect(await authorise('SELECT * FROM edge_logs')).not.toThrow();
    expect(await authorise('SELECT * FROM `all logs`')).toThrow(/does not depend on/);
    const foreign = await call(client, 'logsAllQuery', { project: 'c', sql: 'SELECT 1' });
    expect(textsOf(foreign)[0]).toBe('FORBIDDEN: Parameter "project": this key allows "a" or "b" only.');
  });
});

describe('an error', () => {
  test.each([
    [{}, 'BAD_USER_INPUT: Parameter "project" is required.'],
    [
      { project: 'a', level: 'warn' },
      'BAD_USER_INPUT: Parameter "level" must be one of info, error, not "warn".',
    ],
    [{ project: 'a', count: 51 }, 'BAD_USER_INPUT: Parameter "count" must be at most 50 (max), not "51".'],
    [{ project: 'a', count: 1.5 }, 'BAD_USER_INPUT: Parameter "count": expected a whole number'],
    [{ project: 'a', count: [1] }, 'BAD_USER_INPUT: Parameter "count": expected one value'],
    [{ project: { a: 1 } }, 'BAD_USER_INPUT: Parameter "project": expected one value'],
    [{ project: 'a', ids: [1, 2, 3, 4] }, 'BAD_USER_INPUT: Parameter "ids" may have at most 3 elements'],
    [
      { project: 'a', ids: [1, 2 ** 53] },
      'BAD_USER_INPUT: Parameter "ids", element 2: the number has too many digits',
    ],
    [
      { project: 'a', since: 'yesterday' },
      'BAD_USER_INPUT: Parameter "since": expected a timestamp such as 2025-01-31T10:00:00.123456Z',
    ],
    [
      { project: 'a', max_rows: 1001 },
      'BAD_USER_INPUT: Parameter "max_rows" must be at most 1000 (max), not "1001".',
    ],
    [{ projct: 'a' }, 'BAD_USER_INPUT: There is no argument "projct"; available: project, '],
    [
      { project: `egw_${'0aZ'.repeat(12)}00` },
      'BAD_USER_INPUT: Parameter "project" contains an API key. Send keys in headers only.',
    ],
  ])('tells the model what to change in %j', async (values, message) => {
    const { connect, calls } = await runForAgents();
    const result = await call(await connect(), 'logsAll', values);
    expect(result.isError).toBe(true);
    expect(textsOf(result)).toEqual([expect.stringContaining(message)]);
    expect(calls).toEqual([]);
  });

  test('of the engine is a result without internals', async () => {
    const overloaded = new GatewayError('OVERLOADED', 'The queue is full.', { retryAfterSeconds: 1.5 });
    const errors: unknown[] = [
      overloaded,
      new Error('secret'),
      new GatewayError('QUERY_FAILED', 'Bad 10.0.0.1'),
    ];
    const { connect, gateway } = await runForAgents(() => {
      throw errors.shift();
    });
    const client = await connect();
    const textOf = async () => textsOf(await call(client, 'totals'))[0];
    expect(await textOf()).toBe('OVERLOADED: The queue is full. Try again in 2 seconds.');
    expect(await textOf()).toBe("INTERNAL_SERVER_ERROR: Internal error. See the gateway's log.");
    expect(await textOf()).toBe('QUERY_FAILED: Bad REDACTED');
    expect(gateway.log.lines).toEqual(['error: a request failed unexpectedly']);
  });

  test('has no values of rows for a key that may not see all rows', async () => {
    const { connect } = await runForAgents(() => {
      throw new GatewayError('QUERY_FAILED', 'Bad value: other', { withoutValues: 'Bad value.' });
    });
    const textFor = async (key: string) =>
      textsOf(await call(await connect(key), 'logsAll', { project: 'a' }))[0];
    expect(await textFor('owner')).toBe('QUERY_FAILED: Bad value: other');
    expect(await textFor('tenant')).toBe('QUERY_FAILED: Bad value.');
  });

  test('comes when the time is over', async () => {
    const { connect } = await runForAgents(() => new Promise(() => {}), { requestTimeoutMs: 50 });
    const result = await call(await connect(), 'totals');
    expect(result.isError).toBe(true);
    expect(textsOf(result)).toEqual([
      'QUERY_TIMEOUT: The request timed out after 50 ms. The same call would take as long: narrow it, such as by a shorter time range.',
    ]);
  });

  test('of an unknown tool is the same as of one that the key may not call', async () => {
    const { connect } = await runForAgents();
    const client = await connect('totals-only');
    const messageOf = (name: string) => call(client, name).catch((error: Error) => error.message);
    expect(await messageOf('logsAll')).toBe(
      'MCP error -32602: There is no tool "logsAll"; available: totals.',
    );
    expect(await messageOf('nothing')).toBe(
      'MCP error -32602: There is no tool "nothing"; available: totals.',
    );
  });

  test('is nothing to a client that left', async () => {
    const began = Promise.withResolvers<AbortSignal>();
    const { connect, gateway } = await runForAgents((_call, { signal }) => {
      began.resolve(signal);
      return new Promise(() => {});
    });
    const client = await connect();
    const called = call(client, 'totals').catch(() => 'gone');
    const signal = await began.promise;
    await client.close();
    expect(await called).toBe('gone');
    await expect.poll(() => signal.aborted).toBe(true);
    expect(gateway.log.lines).toEqual([]);
  });
});
