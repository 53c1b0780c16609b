import { expect, test } from 'vitest';
import { fixed } from '../../../../src/engines/duckdb/dialect/constant.ts';
import { computed } from '../../../../src/engines/duckdb/dialect/expression.ts';
import { FunctionCall } from '../../../../src/engines/duckdb/functions/call/function-call.ts';
import { logicFunctions } from '../../../../src/engines/duckdb/functions/comparison/logic.ts';

const or = (...operands: string[]) => {
  const args = operands.map((sql) => computed(sql, { kind: 'BOOL' }, 1));
  return logicFunctions.$or?.emit(
    new FunctionCall('OR', args, { kind: 'BOOL' }, { safe: false, now: fixed(0n) }),
  );
};

test('an operand that tests two values for NULL is compared with true', () => {
  expect(or('(a = b)', '((a IS NULL) AND (b IS NULL))')).toBe(
    '((a = b) OR (((a IS NULL) AND (b IS NULL)) = true))',
  );
  expect(or('a', '((a IS NULL) AND c AND (b IS NULL))')).toContain(' = true');
  expect(or('a', '((a IS NULL) AND b)')).not.toContain('true');
});

test('a long operand is searched once', () => {
  const operand = '(a IS NULL)'.repeat(20_000) + ' AND b'.repeat(20_000);
  expect(or(operand, 'c')).toBe(`(${operand} OR c)`);
});
