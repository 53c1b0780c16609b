import { identifier } from '../../sql/text/identifier.ts';
import { stringLiteral } from '../../sql/text/sql-text.ts';
import type { Source } from '../sources/source.ts';
import { sqlOfSource } from '../sources/source.ts';

/** The name of the endpoint over all sources. */
export const tablesEndpoint = 'gateway.tables';

/** The name of a source among the endpoint's tables. */
export function entryOfSource(name: string): string {
  return name.replace('.', '_');
}

/** The file of an endpoint whose tables are all sources, so that people can look at their rows. */
export function tablesEndpointFile(sources: readonly Source[]): string {
  const entries = sources.map(
    (source) => `${identifier(entryOfSource(source.name))} AS (SELECT * FROM ${sqlOfSource(source)})`,
  );
  const names = sources.map(({ name }) => stringLiteral(entryOfSource(name)));
  return `/*
id: 00000000-0000-4000-8000-67617465776a
name: ${tablesEndpoint}
description: All sources as tables, for ad-hoc queries. Without a query, it returns their names.
maxRows: 10000
exportRows: 1000000
operatorsOnly: true
sandbox: true
unknownParameters: reject
*/
WITH
${entries.join(',\n')}
SELECT name FROM UNNEST([${names.join(', ')}]) AS name
`;
}
