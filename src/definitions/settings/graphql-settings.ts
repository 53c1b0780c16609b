import { resolve } from 'node:path';
import { z } from 'zod';
import { flag, integer, setting } from './setting.ts';

export const graphqlSettings = {
  graphqlIntrospection: setting(
    'GRAPHQL_INTROSPECTION',
    flag(true),
    'true',
    'Whether introspection queries are allowed.',
  ),
  graphqlTrustedDocuments: setting(
    'GRAPHQL_TRUSTED_DOCUMENTS',
    z
      .string()
      .min(1)
      .transform((file) => resolve(file))
      .optional(),
    'none',
    'File of [trusted documents](graphql.md#trusted-documents), which clients call by their ids.',
  ),
  graphqlTrustedDocumentsOnly: setting(
    'GRAPHQL_TRUSTED_DOCUMENTS_ONLY',
    flag(false),
    'false',
    'Whether all other documents are refused.',
  ),
  graphiql: setting('GRAPHIQL', flag(true), 'true', 'Whether browsers get GraphiQL at `/graphql`.'),
  graphqlMaxTokens: setting(
    'GRAPHQL_MAX_TOKENS',
    integer(5_000, 1, 1_000_000),
    '5000',
    'Maximum number of tokens in a document.',
  ),
  graphqlMaxDepth: setting(
    'GRAPHQL_MAX_DEPTH',
    integer(20, 1, 1000),
    '20',
    'Maximum depth of fields in an operation.',
  ),
  graphqlMaxAliases: setting(
    'GRAPHQL_MAX_ALIASES',
    integer(50, 0, 100_000),
    '50',
    'Maximum number of aliases in an operation.',
  ),
  graphqlMaxDirectives: setting(
    'GRAPHQL_MAX_DIRECTIVES',
    integer(50, 0, 100_000),
    '50',
    'Maximum number of directives in an operation.',
  ),
  graphqlMaxCalls: setting(
    'GRAPHQL_MAX_CALLS',
    integer(20, 1, 10_000),
    '20',
    'Maximum number of endpoints, and tables of endpoints, that an operation can call.',
  ),
  graphqlMaxBatch: setting(
    'GRAPHQL_MAX_BATCH',
    integer(10, 1, 1000),
    '10',
    'Maximum number of operations in one request.',
  ),
};
