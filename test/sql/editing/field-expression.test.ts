import { expect, test } from 'vitest';
import { type Field, writtenField } from '../../../src/sql/editing/field.ts';
import { fieldExpression } from '../../../src/sql/editing/field-expression.ts';

const metadata = writtenField({
  name: 'metadata',
  type: 'ARRAY<STRUCT<request ARRAY<STRUCT<path STRING>>, load STRUCT<avg FLOAT64>>>',
});

function pathTo(...names: string[]): Field[] {
  const path = [metadata];
  for (const name of names) path.push(...(path.at(-1)?.fields.filter((field) => field.name === name) ?? []));
  return path;
}

test('a nested field is an expression that needs no join', () => {
  expect(fieldExpression(pathTo(), 'sql')).toBe('metadata');
  expect(fieldExpression(pathTo('request', 'path'), 'sql')).toBe(
    'metadata[SAFE_OFFSET(0)].request[SAFE_OFFSET(0)].path',
  );
  expect(fieldExpression(pathTo('load', 'avg'), 'sql')).toBe('metadata[SAFE_OFFSET(0)].load.avg');
  expect(fieldExpression(pathTo('request', 'path'), 'lql')).toBe('m.request.path');
});
