import { describe, expect, test } from 'vitest';
import { keyAccess, requireScope } from '../../../../src/calls/access/authentication/access.ts';
import { everyScope } from '../../../../src/calls/access/caller/caller.ts';

const access = keyAccess([
  { name: 'owner', secret: 'owner-key', redact: false, scopes: everyScope },
  { name: 'import', secret: 'import-token', redact: false, scopes: new Set(['write']) },
]);

describe('a caller', () => {
  test.each([
    ['X-API-KEY', { 'x-api-key': ['owner-key'] }, 'owner'],
    ['a bearer token', { authorization: ['Bearer owner-key'] }, 'owner'],
    ['another key', { 'x-api-key': ['import-token'] }, 'import'],
    [
      'the bearer token before X-API-KEY',
      { authorization: ['Bearer import-token'], 'x-api-key': ['owner-key'] },
      'import',
    ],
    [
      'X-API-KEY beside another scheme',
      { authorization: ['Basic b3duZXI='], 'x-api-key': ['owner-key'] },
      'owner',
    ],
    ['the first of several keys', { 'x-api-key': ['owner-key', 'import-token'] }, 'owner'],
  ])('is known by %s', (_, headers, name) => {
    expect(access.authenticate(headers)?.name).toBe(name);
  });

  test.each([
    ['no header', {}],
    ['an empty key', { 'x-api-key': [''] }],
    ['a wrong key', { 'x-api-key': ['owner-kez'] }],
    ['the beginning of a key', { 'x-api-key': ['owner'] }],
    ['a key in another letter case', { 'x-api-key': ['OWNER-KEY'] }],
    ['a wrong bearer token beside a right key', { authorization: ['Bearer no'], 'x-api-key': ['owner-key'] }],
    ['a scheme in another letter case', { authorization: ['bearer owner-key'] }],
    ['two spaces after the scheme', { authorization: ['Bearer  owner-key'] }],
    ['a wrong key before the right one', { 'x-api-key': ['no', 'owner-key'] }],
  ])('is unknown with %s', (_, headers) => {
    expect(access.authenticate(headers)).toBeUndefined();
  });

  test('never carries its key', () => {
    expect(access.authenticate({ 'x-api-key': ['owner-key'] })).toEqual({
      name: 'owner',
      redact: false,
      scopes: everyScope,
    });
  });

  test('may do what its key allows', () => {
    const owner = access.authenticate({ 'x-api-key': ['owner-key'] });
    expect(owner && access.isValid(owner)).toBe(true);
    expect(owner && access.isValid({ ...owner })).toBe(false);
    const importer = access.authenticate({ 'x-api-key': ['import-token'] });
    expect(() => requireScope(importer, 'write')).not.toThrow();
    expect(() => requireScope(importer, 'query')).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
    expect(() => requireScope(undefined, 'query')).toThrow(
      expect.objectContaining({ code: 'UNAUTHENTICATED' }),
    );
  });
});
