import { expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { confinedError } from '../../../src/calls/access/authorise.ts';

const withoutValues = 'The query failed on its data: Bad int64 value.';
const error = new GatewayError('QUERY_FAILED', 'Bad int64 value: of another project', { withoutValues });

test('an error that may quote any row has no values for a restricted key', () => {
  for (const bounds of [
    { projects: new Set(['a']) },
    { pins: new Map([['size', '7']]) },
    { endpoints: new Set(['a']) },
  ]) {
    expect(confinedError(error, bounds)).toMatchObject({ code: 'QUERY_FAILED', message: withoutValues });
  }
});

test('an unrestricted key gets the whole error, and other errors stay unchanged', () => {
  expect(confinedError(error, {})).toBe(error);
  const other = new GatewayError('QUERY_FAILED', 'Division by zero');
  expect(confinedError(other, { projects: new Set(['a']) })).toBe(other);
  expect(confinedError(undefined, { projects: new Set(['a']) })).toBe(undefined);
});
