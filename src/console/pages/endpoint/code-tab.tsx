import type { Endpoint } from '../../api/endpoints.ts';
import type { Call } from '../../parts/answer/answer.ts';
import { snippetsOf } from '../../parts/answer/snippets.ts';
import { SnippetsView } from '../../parts/answer/snippets-view.tsx';
import { graphqlSnippet } from './graphql-snippet.ts';

interface CodeTabProps {
  readonly call: Call;
  readonly endpoint: Endpoint;
}

/** The call in several languages, to copy. */
export function CodeTab({ call, endpoint }: CodeTabProps) {
  const graphql = { name: 'GraphQL', text: graphqlSnippet(endpoint, call.values) };
  return <SnippetsView snippets={[...snippetsOf(call, location.origin), graphql]} />;
}
