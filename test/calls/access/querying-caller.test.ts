import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { keyAccess, queryingCaller } from '../../../src/calls/access/authentication/access.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';

const limited = {
  name: 'issuer',
  redact: false,
  scopes: everyScope,
  rate: { requests: 1, seconds: 1 },
};
const access = keyAccess([
  { name: 'bearer', secret: 'bearer', redact: false, scopes: everyScope, issuer: limited },
  { name: 'free', secret: 'free', redact: false, scopes: everyScope },
  {
    name: 'counted',
    secret: 'counted',
    redact: false,
    scopes: everyScope,
    rate: { requests: 1, seconds: 1 },
  },
  { name: 'writer', secret: 'writer', redact: false, scopes: new Set(['write']) },
]);
const nameOf = (headers: IncomingMessage['headers']) =>
  queryingCaller({ headers } as IncomingMessage, access)?.name;

test('a caller without a rate limit is identified by the cheap headers', () => {
  expect(nameOf({ 'x-api-key': 'free' })).toBe('free');
  expect(nameOf({ authorization: 'Bearer free' })).toBe('free');
});

test.each([
  ['requests are counted', { 'x-api-key': 'counted' }],
  ['requests are counted for the issuer', { 'x-api-key': 'bearer' }],
  ['key is for something else', { 'x-api-key': 'writer' }],
  ['key is not known', { 'x-api-key': 'other' }],
  ['header has another scheme first', { authorization: 'Basic eA==', 'x-api-key': 'free' }],
])('whose %s goes the long way', (_name, headers) => {
  expect(nameOf(headers)).toBeUndefined();
});
