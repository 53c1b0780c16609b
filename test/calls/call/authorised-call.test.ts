import { expect, test } from 'vitest';
import { newKeyText } from '../../../src/calls/access/key/key-text.ts';
import type { EndpointTable } from '../../../src/definitions/endpoints/endpoint.ts';
import { callOf } from '../../support/call-of.ts';
import { endpointWith } from '../executor/support/endpoint.ts';

const endpoint = endpointWith({ parameters: [] });
const table: EndpointTable = { name: 'numbers', plan: endpoint.plan, boundBy: new Set() };

test.each([
  ['lql', { tail: { table, lql: `m.a:"${newKeyText()}"` } }],
  ['after', { tail: { table, lql: undefined, after: newKeyText() } }],
  ['sql', { query: { language: 'sql', text: `select '${newKeyText()}'` } }],
  ['lql', { query: { language: 'lql', text: newKeyText() } }],
] as const)('a key within "%s" is refused, whatever the protocol', (parameter, reads) => {
  expect(() => callOf({ endpoint: { ...endpoint, tables: [table] }, reads })).toThrow(
    expect.objectContaining({
      code: 'BAD_USER_INPUT',
      message: `Parameter "${parameter}" contains an API key. Send keys in headers only.`,
    }),
  );
});
