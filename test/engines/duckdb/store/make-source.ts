import { parseSource } from '../../../../src/definitions/sources/parse-source.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';

/** A source with the two needed columns and these, given as `bq show --schema` prints them. */
export function makeSource(name: string, ...columns: readonly object[]): Source {
  const schema = [
    { name: 'id', type: 'STRING', mode: 'REQUIRED' },
    { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
    ...columns,
  ];
  const source = parseSource(name, `${name}.json`, JSON.stringify(schema));
  if (!('columns' in source)) throw new Error(JSON.stringify(source));
  return source;
}
