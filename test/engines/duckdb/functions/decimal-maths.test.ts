import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

/** The packaged evaluator doesn't return from most of these calls. */
let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const most = '99999999999999999999999999999.999999999';

describe('powers and logarithms of decimals', () => {
  test.each([
    ["exp(numeric '1')", '2.718281828'],
    ["exp(numeric '-0.5')", '0.60653066'],
    [`exp(numeric '-${most}')`, '0'],
    ["exp(bignumeric '1')", '2.71828182845904523536028747135266249776'],
    ["ln(numeric '2')", '0.693147181'],
    ["ln(numeric '0.000000001')", '-20.723265837'],
    [`ln(numeric '${most}')`, '66.774967697'],
    ["ln(bignumeric '2')", '0.69314718055994530941723212145817656808'],
    ["ln(bignumeric '10')", '2.30258509299404568401799145468436420760'],
    ["log10(numeric '1e28')", '28'],
    ["log10(bignumeric '2')", '0.30102999566398119521373889472449302677'],
    ["log(numeric '5')", '1.609437912'],
    ["log(numeric '8', numeric '2')", '3'],
    ["log(bignumeric '2', bignumeric '0.25')", '-0.5'],
    ["pow(numeric '2', numeric '0.5')", '1.414213562'],
    ["pow(numeric '4', numeric '-2.5')", '0.03125'],
    ["pow(numeric '0.25', numeric '-1.5')", '8'],
    ["pow(bignumeric '2', bignumeric '0.5')", '1.41421356237309504880168872420969807857'],
    ["pow(numeric '10', numeric '28')", '10000000000000000000000000000'],
    [`pow(numeric '${most}', numeric '-2')`, '0'],
    ['ln(cast(null as numeric))', null],
    ["pow(numeric '2', cast(null as numeric))", null],
  ])('%s', async (call, result) => {
    const [row] = await differential.actual(`select cast(${call} as string)`);
    expect(row).toEqual([result === null ? null : result.replace(/(\.\d*?)0+$/, '$1')]);
  });

  test.each([
    ["exp(numeric '67')", 'numeric overflow: EXP(67)'],
    ["exp(bignumeric '1000')", 'BIGNUMERIC overflow: EXP(1000)'],
    ["ln(numeric '0')", 'LN is undefined for zero or negative value: LN(0)'],
    ["log10(bignumeric '-1')", 'LOG10 is undefined for zero or negative value: LOG10(-1)'],
    ["log(numeric '2', numeric '1')", 'when base equals 1: LOG(2, 1)'],
    ["pow(numeric '0', numeric '-3')", 'division by zero: POW(0, -3)'],
    ["pow(numeric '-2', numeric '0.5')", 'cannot be raised to a fractional power: POW(-2, 0.5)'],
    ["pow(numeric '10', numeric '29')", 'numeric overflow: POW(10, 29)'],
  ])('%s fails', async (call, message) => {
    await expect(differential.actual(`select ${call}`)).rejects.toThrow(message);
    expect(await differential.actual(`select safe.${call}`)).toEqual([[null]]);
  });
});
