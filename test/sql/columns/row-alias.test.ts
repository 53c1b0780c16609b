import { expect, test } from 'vitest';
import { rowAlias } from '../../../src/sql/columns/row-alias.ts';

test.each([
  [['id'], 't'],
  [['T', 'id'], 't_'],
  [['t', 't_'], 't__'],
])('of columns %j, none has the alias %s', (names, alias) => {
  expect(rowAlias(names.map((name) => ({ name })))).toBe(alias);
});
