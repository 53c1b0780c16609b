import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { documentText } from '../../../../src/server/graphql/http/read-operations.ts';
import {
  checkTrustedDocuments,
  readTrustedDocuments,
} from '../../../../src/server/graphql/trusted/trusted-documents.ts';
import { runGraphql } from '../http/support/graphql-gateway.ts';

async function fileWith(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trusted-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'documents.json');
  await writeFile(file, content);
  return file;
}

describe('a file of trusted documents', () => {
  test.each([
    ['the client preset or Relay', { abc: 'query A { a }' }],
    [
      'Apollo',
      {
        format: 'apollo-persisted-query-manifest',
        version: 1,
        operations: [{ id: 'abc', name: 'A', type: 'query', body: 'query A { a }' }],
      },
    ],
  ])('is the manifest of %s', async (_, manifest) => {
    const { byId } = await readTrustedDocuments(await fileWith(JSON.stringify(manifest)), false);
    expect([...byId]).toEqual([['abc', 'query A { a }']]);
  });

  const apollo = (operations: string) =>
    `{"format": "apollo-persisted-query-manifest",\n"operations": ${operations}}`;

  test.each([
    ['', '1:1: expected a value, found the end of the file'],
    ['[]', '1:1: expected an object with documents by id, or a manifest of Apollo'],
    ['{"a": "{ a }",\n"b": 1}', '2:6: b: expected a text'],
    ['{"a": ""}', '1:7: a: expected a text that is not empty'],
    ['{"a": "{ a }", "a": "{ b }"}', '1:16: the key "a" is given twice'],
    [apollo('{}'), '2:15: operations: expected a list'],
    [apollo('[{"id": "a"}]'), '2:16: operations.0.body: expected a text'],
    [
      apollo('[{"id": "a", "body": "{ a }"}, {"id": "a", "body": "{ b }"}]'),
      '2:53: operations.1.id: the id "a" is given twice',
    ],
  ])('is refused as %j, with its name and the place', async (content, reason) => {
    const file = await fileWith(content);
    await expect(readTrustedDocuments(file, false)).rejects.toThrow(`${file}:${reason}`);
  });

  test('that does not exist is an error with its name', async () => {
    await expect(readTrustedDocuments('/nowhere/x.json', false)).rejects.toThrow(
      "/nowhere/x.json: the file can't be read (no such file or directory)",
    );
  });

  test('is checked against the schema, with file and place', async () => {
    const file = await fileWith('{\n  "good": "{ a }",\n  "bad": "{ a\\n  nothing }",\n  "broken": "{"\n}');
    const trusted = await readTrustedDocuments(file, false);
    expect(checkTrustedDocuments(trusted, buildSchema('type Query { a: Int }'))).toEqual([
      {
        ...{ file, line: 3, column: 10 },
        text: 'Document "bad": Cannot query field "nothing" on type "Query". (line 2, column 3 of the document)',
      },
      {
        ...{ file, line: 4, column: 13 },
        text: expect.stringContaining('Document "broken": Syntax Error'),
      },
    ]);
  });
});

describe('the document of a request', () => {
  const trusted = {
    file: '',
    placeOf: () => ({ line: 1, column: 1 }),
    only: false,
    byId: new Map([['abc', '{ known }']]),
  };
  const persisted = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

  test.each([
    ['documentId', { documentId: 'abc' }],
    ['documentId with its algorithm', { documentId: 'sha256:abc' }],
    ["Apollo's hash", persisted('abc')],
  ])('is found by %s', (_, request) => {
    expect(documentText(request, trusted)).toBe('{ known }');
    expect(documentText(request, { ...trusted, only: true })).toBe('{ known }');
  });

  test('is its own text, unless only trusted ones may run', () => {
    const request = { query: '{ other }', ...persisted('abc') };
    expect(documentText(request, trusted)).toBe('{ other }');
    expect(() => documentText(request, { ...trusted, only: true })).toThrow('Only trusted documents');
    expect(documentText({ query: '{ known }' }, { ...trusted, only: true })).toBe('{ known }');
  });

  test('is not its own text if that has another hash', () => {
    const query = '{ other }';
    const hashOf = (text: string) => hash('sha256', text);
    expect(documentText({ query, ...persisted(hashOf(query)) }, undefined)).toBe(query);
    expect(documentText({ query, ...persisted(hashOf(query).toUpperCase()) }, undefined)).toBe(query);
    for (const documents of [undefined, trusted]) {
      expect(() => documentText({ query, ...persisted(hashOf('{ known }')) }, documents)).toThrow(
        'is not that of the document',
      );
    }
  });

  test.each([{ documentId: 'x' }, persisted('x')])('is unknown by %j', (request) => {
    expect(() => documentText(request, trusted)).toThrow('PersistedQueryNotFound');
    expect(() => documentText(request, undefined)).toThrow('PersistedQueryNotSupported');
  });
});

test('a hash alone gets the error that clients know, by POST and GET', async () => {
  const graphql = await runGraphql();
  const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
  const replies = [
    await graphql.post({ extensions }),
    await graphql.fetch(`/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`),
    await graphql.fetch('/graphql?documentId=abc'),
  ];
  for (const { json } of replies) {
    expect(json.errors).toEqual([
      {
        message: 'PersistedQueryNotSupported',
        extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
      },
    ]);
  }
});
