import { parseSource } from '../../../../src/definitions/sources/parse-source.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';

/** The source of a file with this content. */
export function sourceOf(name: string, file: object): Source {
  const source = parseSource(name, `${name}.json`, JSON.stringify(file));
  if (!('columns' in source)) throw new Error(JSON.stringify(source));
  return source;
}

/** A source with the usual two columns and these, given as `bq show --schema` prints them. */
export function makeSource(name: string, ...columns: readonly object[]): Source {
  const schema = [
    { name: 'id', type: 'STRING', mode: 'REQUIRED' },
    { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
    ...columns,
  ];
  return sourceOf(name, schema);
}
