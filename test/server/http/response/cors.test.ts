import { expect, test } from 'vitest';
import { corsPolicy, preflightHeaders } from '../../../../src/server/http/response/cors.ts';

const asObject = (headers: readonly string[]) =>
  Object.fromEntries(headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : [])));

test('any origin may read, without credentials', () => {
  for (const origin of [undefined, 'https://app.example']) {
    const headers = asObject(corsPolicy(['*']).headers(origin));
    expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': '*' });
    expect(headers).not.toHaveProperty('Access-Control-Allow-Credentials');
  }
});

test('only listed origins may read, with credentials', () => {
  const policy = corsPolicy(['https://app.example', 'http://localhost:3000']);
  expect(asObject(policy.headers('http://localhost:3000'))).toMatchObject({
    'Access-Control-Allow-Origin': 'http://localhost:3000',
    'Access-Control-Allow-Credentials': 'true',
    Vary: 'Origin',
  });
  for (const origin of [undefined, 'https://app.example.evil', 'null'])
    expect(asObject(policy.headers(origin))).toEqual({ Vary: 'Origin' });
});

test('a preflight allows the header that names the source of records', () => {
  expect(preflightHeaders()['Access-Control-Allow-Headers']?.split(', ')).toEqual(
    expect.arrayContaining(['X-Source', 'X-Collection', 'Idempotency-Key']),
  );
});

test('a preflight allows the method that it asks for, if any route has it', () => {
  const methodsFor = (method?: string) => preflightHeaders(method)['Access-Control-Allow-Methods'];
  expect(methodsFor('DELETE')).toBe('GET, POST, OPTIONS, DELETE');
  expect(methodsFor('TRACE')).toBe('GET, POST, OPTIONS');
});
