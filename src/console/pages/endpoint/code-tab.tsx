import type { FullEndpoint } from '../../api/endpoints.ts';
import type { Call } from '../../parts/answer/answer.ts';
import { snippetsOf } from '../../parts/answer/snippets.ts';
import { SnippetsView } from '../../parts/answer/snippets-view.tsx';
import { FailureFace } from '../../parts/faces/failure-face.tsx';
import type { Loaded } from '../../parts/loading/use-load.ts';
import type { ParameterValues } from '../../parts/parameters/parameter-values.ts';

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

/** The operation that calls an endpoint, and its variables with these values. */
function graphqlSnippet({ graphql }: Pick<FullEndpoint, 'graphql'>, values: ParameterValues): string {
  const variables = Object.fromEntries(
    graphql.variables.flatMap(({ parameter, name, members }) => {
      const value = values.get(parameter);
      if (value === undefined) return [];
      const memberOf = (text: string) => members?.[text] ?? text;
      return [[name, typeof value === 'string' ? memberOf(value) : value.map(memberOf)]];
    }),
  );
  return `${graphql.query.trim()}\n\n# Variables\n${JSON.stringify(variables, null, 2)}\n`;
}
