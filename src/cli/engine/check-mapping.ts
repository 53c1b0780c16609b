import { type Config, ConfigError } from '../../config.ts';
import { byNearness } from '../../nearness.ts';
import type { Source } from '../../sources/source.ts';

/**
 * Refuses a table of a source that there isn't: most likely the source is meant whose name is misspelt, and which would be
 * read from another table without a word.
 *
 * @throws ConfigError
 */
export function checkMapping(
  { bigqueryTables }: Pick<Config, 'bigqueryTables'>,
  sources: readonly Pick<Source, 'name'>[],
): void {
  const names = sources.map(({ name }) => name);
  const unknown = [...bigqueryTables.keys()].filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw new ConfigError(
    unknown.map((name) => {
      const others = byNearness(name, names).join(', ') || 'none';
      return `BIGQUERY_TABLES: there is no source ${JSON.stringify(name)}; there are ${others}`;
    }),
  );
}
