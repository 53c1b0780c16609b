import { bySimilarity } from '../../../base/text/suggest.ts';
import { type Config, ConfigError } from '../../../definitions/settings/config.ts';
import type { Source } from '../../../definitions/sources/source.ts';

/**
 * Rejects unknown sources in `BIGQUERY_TABLES`. A misspelt source would silently be read from another table.
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
      const others = bySimilarity(name, names).join(', ') || 'none';
      return `BIGQUERY_TABLES: unknown source ${JSON.stringify(name)}. Known sources: ${others}`;
    }),
  );
}
