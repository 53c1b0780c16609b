import type { Source } from '../../definitions/sources/source.ts';
import { tableOfSource } from '../../definitions/sources/table-of-source.ts';

interface NewEndpoint {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly source: Source;
}

/** Columns of a source beyond these are not selected: people add those that they need. */
const maxColumns = 8;

/** The text of an endpoint's file: settings with comments, and a query of the newest rows of a source. */
export function endpointText({ id, name, source }: NewEndpoint): string {
  const columns = selectedColumns(source).map((column) => `  t.${quoted(column)}`);
  return `/*
# The settings of the endpoint. All are described in docs/endpoints.md of the gateway.
id: ${id}
name: ${JSON.stringify(name)}
description: ${JSON.stringify(`Rows of ${source.name}, newest first.`)}
# A result has this many rows at most.
maxRows: 100
# A result is reused for this many seconds. With 0, each call runs the query.
cacheSeconds: 0
parameters:
  since:
    type: TIMESTAMP
    description: Only rows of this time and later.
    example: 2026-11-20T00:00:00Z
*/
SELECT
${columns.join(',\n')}
FROM ${tableName(source)} AS t
WHERE @since IS NULL OR t.timestamp >= @since
ORDER BY t.timestamp DESC
`;
}

function tableName(source: Source): string {
  const table = `logs.${tableOfSource(source)}`;
  return source.wildcard === undefined ? table : `\`${table}\``;
}

/** The id and the time, then the first other columns with plain values. */
function selectedColumns({ columns }: Source): string[] {
  const plain = columns.filter(({ type }) => type.kind !== 'ARRAY' && type.kind !== 'STRUCT');
  const isFirst = (name: string) => ['id', 'timestamp'].includes(name.toLowerCase());
  const names = plain.map(({ name }) => name);
  return [...names.filter(isFirst), ...names.filter((name) => !isFirst(name))].slice(0, maxColumns);
}

function quoted(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name}\``;
}
