import { flag, integer } from './forms.ts';
import { setting } from './setting.ts';

export const graphqlSettings = {
  graphqlIntrospection: setting(
    'GRAPHQL_INTROSPECTION',
    flag(true),
    'true',
    'whether GraphQL clients may ask for the schema',
  ),
  graphiql: setting('GRAPHIQL', flag(true), 'true', 'serve GraphiQL to browsers at `/graphql`'),
  graphqlMaxTokens: setting(
    'GRAPHQL_MAX_TOKENS',
    integer(5_000, 1, 1_000_000),
    '5000',
    'tokens that a GraphQL document may have',
  ),
  graphqlMaxDepth: setting(
    'GRAPHQL_MAX_DEPTH',
    integer(20, 1, 1000),
    '20',
    'levels of fields in a GraphQL operation',
  ),
  graphqlMaxAliases: setting(
    'GRAPHQL_MAX_ALIASES',
    integer(50, 0, 100_000),
    '50',
    'aliases in a GraphQL operation',
  ),
  graphqlMaxDirectives: setting(
    'GRAPHQL_MAX_DIRECTIVES',
    integer(50, 0, 100_000),
    '50',
    'directives in a GraphQL operation',
  ),
  graphqlMaxCalls: setting(
    'GRAPHQL_MAX_CALLS',
    integer(20, 1, 10_000),
    '20',
    'endpoints, and tables of endpoints, that a GraphQL operation may call',
  ),
  graphqlMaxBatch: setting(
    'GRAPHQL_MAX_BATCH',
    integer(10, 1, 1000),
    '10',
    'GraphQL operations in one request',
  ),
};
