import { expect, test } from 'vitest';
import { runGateway } from '../listener/running-gateway.ts';

const path = '/api/endpoints/query/logs.all?project=a';
const json = [['Content-Type', 'application/json']] as const;

test.each([
  ['a query string', '&projekt=b&gr%C3%B6%C3%9Fe=1', {}, 'projekt, gr%C3%B6%C3%9Fe'],
  [
    'a JSON body',
    '',
    { method: 'POST', headers: json, body: '{"intervall":{"x":1},"count":1}' },
    'intervall',
  ],
  ['both', '&x=1', { method: 'POST', headers: json, body: '{"y":1}' }, 'x, y'],
])('X-Ignored-Parameters names unknown parameters of %s', async (_, query, options, expected) => {
  const gateway = await runGateway();
  const reply = await gateway.call(path + query, options);
  expect(reply).toMatchObject({ status: 200, headers: { 'x-ignored-parameters': expected } });
});

test.each(['', '&format=json', '&timestamps=iso&json=inline', '&dry_run=false', '&api_key=x'])(
  'nothing of %j is ignored',
  async (query) => {
    const gateway = await runGateway();
    expect((await gateway.call(path + query)).headers).not.toHaveProperty('x-ignored-parameters');
  },
);

test.each([
  ['project=a&project=b', 'Parameter \\"project\\": given 2 times'],
  ['project=a&format=csv&format=json', 'Parameter \\"format\\": given 2 times'],
  ['project=a&format=xml', 'Parameter \\"format\\": expected json, ndjson, csv, parquet or arrow'],
  ['project=a&timestamps=epoch', 'Parameter \\"timestamps\\": expected micros or iso'],
])('%s is refused', async (query, error) => {
  const gateway = await runGateway();
  const reply = await gateway.call(`/api/endpoints/query/logs.all?${query}`);
  expect(reply.status).toBe(400);
  expect(reply.body).toContain(error);
});

test.each([
  ['format=csv&timestamps=micros', 'timestamps', 'csv'],
  ['format=csv&json=inline', 'json', 'csv'],
  ['format=parquet&timestamps=iso', 'timestamps', 'parquet'],
  ['format=arrow&timestamps=iso', 'timestamps', 'arrow'],
  ['format=arrow&json=inline', 'json', 'arrow'],
])('%s is refused: the format has no such form', async (query, key, format) => {
  const gateway = await runGateway();
  const reply = await gateway.call(`${path}&${query}`);
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.body)).toEqual({
    code: 'BAD_USER_INPUT',
    parameter: key,
    error: expect.stringContaining(`Parameter "${key}": the format ${format} can't have `),
  });
});

test('a form that the format of Accept has not is refused, too', async () => {
  const gateway = await runGateway();
  const headers = [['Accept', 'text/csv']] as const;
  expect((await gateway.call(`${path}&timestamps=micros`, { headers })).status).toBe(400);
});

test.each([
  'format=csv&timestamps=iso&json=text',
  'format=parquet&timestamps=micros&json=text',
  'format=arrow&timestamps=micros&json=text',
  'format=ndjson&timestamps=iso&json=inline',
])('%s is what the format has', async (query) => {
  const gateway = await runGateway();
  expect((await gateway.call(`${path}&${query}`)).status).toBe(200);
});

const form = [['Content-Type', 'application/x-www-form-urlencoded']] as const;

test.each([
  ['&projekt=b', {}, 'projekt'],
  ['', { method: 'POST', headers: json, body: '{"projekt":"b"}' }, 'projekt'],
  ['', { method: 'POST', headers: form, body: 'x=1' }, 'x'],
])('with UNKNOWN_PARAMETERS=reject, unknown parameters are refused: %s %j', async (query, options, name) => {
  const gateway = await runGateway({ environment: { UNKNOWN_PARAMETERS: 'reject' } });
  const reply = await gateway.call(path + query, options);
  expect([reply.status, JSON.parse(reply.body)]).toMatchObject([400, { code: 'BAD_USER_INPUT' }]);
  expect(reply.body).toContain(`The endpoint \\"logs.all\\" has no parameter \\"${name}\\"`);
  expect((await gateway.call(`${path}&format=json`)).status).toBe(200);
});
