import type { Parameter } from '../../api/endpoints.ts';
import { isArray, type ParameterValues, pairsOf } from '../../parts/parameters/parameter-values.ts';
import type { Route } from '../../router/route.ts';
import type { Language, Question } from './draft.ts';

type QueryRoute = Extract<Route, { readonly page: 'query' }>;

/**
 * The address of a question. What contains the key is left out, for whoever has pasted it into a query: addresses are
 * kept and sent.
 */
export function linkOf({ endpoint, language, text, values }: Question, key: string): QueryRoute {
  const pairs = [[language, text] as const, ...pairsOf(values)].filter(([, value]) => !value.includes(key));
  return {
    page: 'query',
    endpoint: endpoint.includes(key) ? undefined : endpoint,
    values: new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])),
  };
}

/** The query of an address, if it has one. */
export function linkedText({
  values,
}: Pick<QueryRoute, 'values'>): { language: Language; text: string } | undefined {
  for (const language of ['sql', 'lql'] as const) {
    const text = values.get(language);
    if (text !== null) return { language, text };
  }
  return undefined;
}

/** The values of an address for the parameters that there are. All else in it is ignored. */
export function linkedValues(
  { values }: Pick<QueryRoute, 'values'>,
  parameters: readonly Parameter[],
): ParameterValues {
  return new Map(
    parameters
      .filter(({ name }) => values.has(name))
      .map(({ name, type }) => [name, isArray(type) ? values.getAll(name) : (values.get(name) ?? '')]),
  );
}
