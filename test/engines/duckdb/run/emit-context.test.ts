import { expect, test } from 'vitest';
import { emitContext } from '../../../../src/engines/duckdb/run/emit-context.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';

const plan = newPlan({
  isCallers: false,
  sql: '',
  statement: { query: {} },
  columns: [],
  parameters: new Map([['j', { kind: 'JSON' }]]),
});
const valueFor = (json: string) => emitContext(plan, new Map([['j', json]]), 0n).parameters.get('j')?.value;

test.each([
  ['{"z": 1, "a": 2.50, "z": 3}', '{"a":2.5,"z":1}'],
  ['[1.0, 1e2, 12345678901234567890]', '[1.0,100.0,12345678901234567890]'],
  ['"\\u00e9\\/"', '"é/"'],
  ['null', 'null'],
])('the JSON parameter %s is the value that BigQuery reads', (json, value) => {
  expect(valueFor(json)).toBe(value);
});

test('a JSON number that would lose digits is refused, by the name of its parameter', () => {
  expect(() => valueFor('123456789012345678901')).toThrow(/^Parameter "j": .*123456789012345678901/);
  expect(() => valueFor('1e400')).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
});
