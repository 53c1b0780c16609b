import type { Endpoint } from '../../api/endpoints.ts';
import type { ParameterValues } from '../../parts/parameters/parameter-values.ts';

/** The operation of an endpoint with its variables, if the gateway has told it. */
export function graphqlSnippet(
  { graphql, parameters }: Endpoint,
  values: ParameterValues,
): string | undefined {
  if (graphql === undefined) return undefined;
  const variables = Object.fromEntries(
    parameters.flatMap(({ name, argument }) => {
      const value = values.get(name);
      return value === undefined ? [] : [[argument ?? name, value]];
    }),
  );
  return `${graphql.query.trim()}\n\n# Variables\n${JSON.stringify(variables, null, 2)}`;
}
