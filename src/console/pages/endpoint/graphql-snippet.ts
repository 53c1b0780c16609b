import type { FullEndpoint } from '../../api/endpoints.ts';
import type { ParameterValues } from '../../parts/parameters/parameter-values.ts';

/** The operation that calls an endpoint, and its variables with these values. */
export function graphqlSnippet({ graphql }: Pick<FullEndpoint, 'graphql'>, values: ParameterValues): string {
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
