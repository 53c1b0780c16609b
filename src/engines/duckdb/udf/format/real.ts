import { unitsOf } from '../../dialect/decimal-units.ts';
import { type DecimalDigits, digitsOfDecimal, digitsOfDouble } from './decimal-digits.ts';

/** A number apart from how it is written. */
export interface Real {
  readonly isNegative: boolean;
  /** Absent for infinity and NaN. */
  readonly digits: DecimalDigits | undefined;
  readonly isNan: boolean;
  /** How a half of the last digit is rounded. */
  readonly half: 'even' | 'away';
}

/** The largest scale of a decimal, that of BIGNUMERIC. */
const decimalScale = 38;

/** The number of a decimal text: an INT64, a NUMERIC or a BIGNUMERIC. */
export function realOfDecimal(written: string): Real {
  const digits = digitsOfDecimal(unitsOf(written, decimalScale) ?? 0n, decimalScale);
  return { isNegative: written.startsWith('-'), isNan: false, half: 'away', digits };
}

/** The number of a FLOAT64's text. Zero has no sign. */
export function realOfDouble(written: string): Real {
  const isNan = written === 'nan' || written === '-nan';
  const value = Number(written.replace('inf', 'Infinity'));
  const digits = Number.isFinite(value) ? digitsOfDouble(value) : undefined;
  return { isNegative: value < 0, isNan, half: 'even', digits };
}
