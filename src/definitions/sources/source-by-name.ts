import type { Source } from './source.ts';

/** The source with this name or alias, in the same letter case. */
export function sourceByName<S extends Pick<Source, 'name' | 'aliases'>>(
  sources: readonly S[],
  nameOrAlias: string,
): S | undefined {
  return sources.find(({ name, aliases }) => name === nameOrAlias || aliases.includes(nameOrAlias));
}
