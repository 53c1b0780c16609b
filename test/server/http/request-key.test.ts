import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import { newKeyText } from '../../../src/calls/access/key/key-text.ts';
import type { RequestContext } from '../../../src/server/http/request/request-context.ts';
import { cacheableKey, requestKey } from '../../../src/server/http/response-cache/response-cache.ts';

const owner: Caller = { name: 'owner', redact: false, scopes: new Set(['query']) };
const headers = { host: 'a', accept: '*/*', 'accept-encoding': 'gzip' };
const plain = { method: 'GET', url: '/x?p=1', headers };
const body = Buffer.from('{}');

function keeping(request: object, query = '', given?: Buffer): string | undefined {
  const context = { request: { ...plain, ...request } as IncomingMessage, query };
  return cacheableKey(context as RequestContext, owner, given);
}

test.each<[string, Partial<typeof plain> & { headers?: IncomingMessage['headers'] }, Caller, Buffer?]>([
  ['another target', { url: '/x?p=2' }, owner],
  ['another host', { headers: { ...headers, host: 'b' } }, owner],
  ['another media type', { headers: { ...headers, accept: 'application/json' } }, owner],
  ['another encoding', { headers: { ...headers, 'accept-encoding': 'br' } }, owner],
  ['redaction', { headers: { ...headers, 'lf-endpoint-redact-pii': 'true' } }, owner],
  ['a body', { method: 'POST' }, owner, body],
  ['a key that always redacts', {}, { ...owner, redact: true }],
  ['a key that is bound to projects', {}, { ...owner, projects: new Set(['a']) }],
])('%s makes another key', (_what, changed, caller, given) => {
  expect(requestKey({ ...plain, ...changed }, caller, given)).not.toBe(requestKey(plain, owner));
});

test('callers without bounds share answers, HEAD those of GET, and two bound keys share none', () => {
  expect(requestKey(plain, { ...owner, name: 'other' })).toBe(requestKey(plain, owner));
  expect(requestKey({ ...plain, method: 'HEAD' }, owner)).toBe(requestKey(plain, owner));
  const bound = () => requestKey(plain, { ...owner, projects: new Set(['a']) });
  expect(bound()).not.toBe(bound());
});

test('no response is cached for a request that contains a key, or without its body', () => {
  expect(keeping({})).toBe(requestKey(plain, owner));
  expect(keeping({ method: 'POST' }, '', body)).toContain('{}');
  expect(keeping({}, 'p=1&api_key=secret')).toBeUndefined();
  expect(keeping({ url: `/x?p=${newKeyText()}` })).toBeUndefined();
  expect(keeping({ method: 'POST' }, '', Buffer.from(newKeyText()))).toBeUndefined();
  expect(keeping({ method: 'POST' })).toBeUndefined();
  expect(keeping({ headers: { ...headers, 'content-length': '2' } })).toBeUndefined();
});
