import { expect, test } from 'vitest';
import { queryShape } from '../../../src/sql/text/query-shape.ts';

const shape = queryShape("select a, 1.5 from t where b = 'x' and c = @p -- why");

test.each([
  'select a, 2e9 from t where b = r"""y\n""" and c = @q',
  "SELECT  a,1 FROM t /* - */ WHERE b = '' AND c = @p",
])('texts that differ in literals, parameters, spaces and comments have one shape: %s', (sql) => {
  expect(queryShape(sql)).toBe(shape);
});

test.each([
  "select a, 1.5 from t where b = 'x' and d = @p",
  "select a, 1.5, 2 from t where b = 'x' and c = @p",
  "select a, 1.5 from t where b = 'x' and c = NULL",
])('others have another one: %s', (sql) => {
  expect(queryShape(sql)).not.toBe(shape);
});
