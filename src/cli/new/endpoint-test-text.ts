import type { Source, SourceColumn } from '../../definitions/sources/source.ts';
import type { SqlType } from '../../sql/values/type.ts';

/** The text of the test of a new endpoint: two rows, of which one is newer than the parameter `since`. */
export function endpointTestText(source: Source): string {
  const row = (id: string, time: string) =>
    `{ ${source.columns.flatMap((column) => given(column, id, time)).join(', ')} }`;
  return `# Cases of the endpoint beside this file. Run them: npx endpoint-gateway test
now: 2026-11-20T12:00:00Z
rows:
  ${source.name}:
    - ${row('older', '2026-11-18T10:00:00Z')}
    - ${row('newer', '2026-11-20T10:00:00Z')}
cases:
  - name: has all rows, newest first
    expect:
      count: 2
      contains:
        - { id: newer }
        - { id: older }
  - name: has only rows since a time
    parameters:
      since: 2026-11-19T00:00:00Z
    expect:
      count: 1
      excludes:
        - { id: older }
`;
}

/** A column of a row in YAML: the id and the time, and what is required besides. */
function given({ name, type, mode }: SourceColumn, id: string, time: string): string[] {
  const key = JSON.stringify(name);
  const isNamed = (wanted: string) => name.toLowerCase() === wanted;
  if (isNamed('id')) return [`${name}: ${id}`];
  if (isNamed('timestamp')) return [`${name}: ${time}`];
  return mode === 'REQUIRED' ? [`${/^\w+$/.test(name) ? name : key}: ${example(type)}`] : [];
}

/** A value of a required column, in YAML. */
function example(type: SqlType): string {
  switch (type.kind) {
    case 'BOOL':
      return 'true';
    case 'INT64':
    case 'FLOAT64':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return '1';
    case 'TIMESTAMP':
      return '2026-11-20T10:00:00Z';
    case 'DATE':
      return '2026-11-20';
    case 'DATETIME':
      return '2026-11-20T10:00:00';
    case 'TIME':
      return '10:00:00';
    case 'BYTES':
      return 'YQ==';
    case 'JSON':
    case 'STRUCT':
      return '{}';
    default:
      return 'text';
  }
}
