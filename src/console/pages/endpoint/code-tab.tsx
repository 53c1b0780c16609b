import type { FullEndpoint } from '../../api/endpoints.ts';
import type { Call } from '../../parts/answer/answer.ts';
import { snippetsOf } from '../../parts/answer/snippets.ts';
import { SnippetsView } from '../../parts/answer/snippets-view.tsx';
import { FailureFace } from '../../parts/faces/failure-face.tsx';
import type { Loaded } from '../../parts/loading/use-load.ts';
import { graphqlSnippet } from './graphql-snippet.ts';

interface CodeTabProps {
  readonly call: Call;
  readonly full: Loaded<FullEndpoint>;
}

/** The call in several languages, to copy. */
export function CodeTab({ call, full: { value, failure } }: CodeTabProps) {
  const graphql = value === undefined ? [] : [{ name: 'GraphQL', text: graphqlSnippet(value, call.values) }];
  return (
    <>
      <SnippetsView snippets={[...snippetsOf(call, location.origin), ...graphql]} />
      {failure !== undefined && <FailureFace failure={failure} />}
    </>
  );
}
