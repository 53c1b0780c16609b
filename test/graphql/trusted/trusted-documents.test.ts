import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { documentText } from '../../../src/graphql/http/document-text.ts';
import { checkTrustedDocuments } from '../../../src/graphql/trusted/check-trusted-documents.ts';
import {
  readTrustedDocuments,
  type TrustedDocuments,
} from '../../../src/graphql/trusted/trusted-documents.ts';
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

  test.each(['', '[]', '{"a":1}', '{"format":"apollo-persisted-query-manifest"'])(
    'is refused as %j, with its name',
    async (content) => {
      const file = await fileWith(content);
      await expect(readTrustedDocuments(file, false)).rejects.toThrow(`${file}: expected a JSON object`);
    },
  );

  test('that does not exist is an error with its name', async () => {
    await expect(readTrustedDocuments('/nowhere/x.json', false)).rejects.toThrow(
      "/nowhere/x.json: the file can't be read (ENOENT)",
    );
  });

  test('is checked against the schema, with file and place', () => {
    const source = '{\n  "good": "{ a }",\n  "bad": "{ a\\n  nothing }",\n  "broken": "{"\n}';
    const trusted = {
      file: 'd.json',
      source,
      only: false,
      byId: new Map(Object.entries(JSON.parse(source))),
    };
    expect(checkTrustedDocuments(trusted as TrustedDocuments, buildSchema('type Query { a: Int }'))).toEqual([
      {
        ...{ file: 'd.json', line: 3, column: 3 },
        text: 'Document "bad": Cannot query field "nothing" on type "Query". (line 2, column 3 of the document)',
      },
      {
        ...{ file: 'd.json', line: 4, column: 3 },
        text: expect.stringContaining('Document "broken": Syntax Error'),
      },
    ]);
  });
});

describe('the document of a request', () => {
  const trusted = { file: '', source: '', only: false, byId: new Map([['abc', '{ known }']]) };
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
