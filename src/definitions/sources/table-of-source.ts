import type { Source } from './source.ts';

const wildcardEnd = '_*';

/** The name of a source's table in SQL, after `logs.`: with a star for a wildcard table. */
export function tableOfSource({ name, wildcard }: Pick<Source, 'name' | 'wildcard'>): string {
  return wildcard === undefined ? name : `${name}${wildcardEnd}`;
}

/** The source with this table. Only wildcard tables have a star in their names. */
export function sourceOfTable(table: string): { readonly name: string; readonly isWildcard: boolean } {
  const isWildcard = table.endsWith(wildcardEnd);
  return { name: isWildcard ? table.slice(0, -wildcardEnd.length) : table, isWildcard };
}
