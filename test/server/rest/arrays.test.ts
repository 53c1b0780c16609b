import { describe, expect, test } from 'vitest';
import { endpointCatalog } from '../../../src/definitions/endpoints/endpoint-catalog.ts';
import type { EndpointParameter } from '../../../src/definitions/endpoints/parameters/endpoint-parameter.ts';
import { logsAll, runGateway } from '../listener/running-gateway.ts';

const ids: EndpointParameter = {
  name: 'ids',
  type: { kind: 'ARRAY', element: { kind: 'STRING' } },
  required: false,
};
const sizes: EndpointParameter = {
  name: 'sizes',
  type: { kind: 'ARRAY', element: { kind: 'INT64' } },
  required: false,
  max: '9',
  maxItems: 3,
  default: ['1', '2'],
};
const filter: EndpointParameter = { name: 'filter', type: { kind: 'JSON' }, required: false };
const none = { ids: [], sizes: [1n, 2n], filter: null };

const run = () =>
  runGateway({ endpoints: endpointCatalog([{ ...logsAll, parameters: [ids, sizes, filter] }]) });
const path = '/api/endpoints/query/logs.all';
const post = (type: string, body: string) => ({
  method: 'POST',
  headers: [['Content-Type', type]] as const,
  body,
});
const json = (body: string) => post('application/json', body);
const form = (body: string) => post('application/x-www-form-urlencoded', body);
const boundary = 'multipart/form-data; boundary=x';
const part = (name: string, text: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

describe('arrays', () => {
  test.each([
    ['', {}],
    ['?ids=a&sizes=3&ids=b&ids=a', { ids: ['a', 'b', 'a'], sizes: [3n] }],
    ['?ids=%5B%22a%22,%22b%22%5D', { ids: ['a', 'b'] }],
    ['?ids=%5B%5D&sizes=%5B%5D', { sizes: [] }],
    ['?ids=&sizes=', {}],
  ])('of the query string %s', async (search, given) => {
    const gateway = await run();
    expect(await gateway.parametersOf(path + search)).toEqual({ ...none, ...given });
  });

  test.each([
    [json('{"ids":["a","b"],"sizes":["7",8]}'), { ids: ['a', 'b'], sizes: [7n, 8n] }],
    [json('{"ids":null,"sizes":null}'), {}],
    [json('{"ids":"a"}'), { ids: ['a'] }],
    [form('ids=a&ids=b%20c'), { ids: ['a', 'b c'] }],
    [form('ids=%5B%22a%22%5D'), { ids: ['a'] }],
    [post(boundary, `${part('ids', 'a')}${part('ids', 'b')}--x--\r\n`), { ids: ['a', 'b'] }],
  ])('of the body %j', async (call, given) => {
    const gateway = await run();
    expect(await gateway.parametersOf(path, call)).toEqual({ ...none, ...given });
  });

  test('of the body replace those of the query string', async () => {
    const gateway = await run();
    const parameters = await gateway.parametersOf(`${path}?ids=a&ids=b`, json('{"ids":["c"]}'));
    expect(parameters).toEqual({ ...none, ids: ['c'] });
  });

  test.each([
    ['?ids[]=a', 'Parameter "ids": write ids=a&ids=b, or one JSON array, instead of "ids[]".'],
    ['?sizes=1&sizes=x', 'Parameter "sizes", element 2: expected a whole number from '],
    ['?sizes=1&sizes=10', 'Parameter "sizes", element 2 must be at most 9 (max), not "10".'],
    ['?sizes=1&sizes=2&sizes=3&sizes=4', 'Parameter "sizes" may have at most 3 elements (maxItems), got 4.'],
    ['?sizes=%5B1,2,3,4%5D', 'Parameter "sizes" may have at most 3 elements (maxItems), got more.'],
    ['?ids=%5B1', 'Parameter "ids": expected a JSON array, because it starts with [, got "[1".'],
  ])('are refused: %s', async (search, message) => {
    const gateway = await run();
    const reply = await gateway.call(path + search);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body).error).toContain(message);
  });
});

describe('JSON in a JSON body', () => {
  test.each([
    ['{"a":[1.50,null]}', '{"a":[1.50,null]}'],
    ['[1,2]', '[1,2]'],
    ['12345678901234567890', '12345678901234567890'],
    ['true', 'true'],
    ['"[1]"', '[1]'],
    ['null', null],
  ])('is a value: %s', async (source, value) => {
    const gateway = await run();
    expect(await gateway.parametersOf(path, json(`{"filter":${source}}`))).toEqual({
      ...none,
      filter: value,
    });
  });
});
