import { addressPairs, pairsOf } from '../../parts/parameters/parameter-values.ts';
import type { Route } from '../../router/route.ts';
import type { Language, Question } from './draft.ts';

type QueryRoute = Extract<Route, { readonly page: 'query' }>;

/** The address of a question, without what contains the key. */
export function linkOf({ endpoint, language, text, values }: Question, key: string): QueryRoute {
  return {
    page: 'query',
    endpoint: endpoint.includes(key) ? undefined : endpoint,
    values: addressPairs([[language, text], ...pairsOf(values)], key),
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
