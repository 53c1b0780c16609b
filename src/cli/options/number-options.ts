import { InvalidArgumentError } from 'commander';

/**
 * A reader of an option whose value is a whole number.
 *
 * @param most the largest number
 */
export function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${most}.`);
  };
}

/**
 * Reads an option whose value is a share in percent, such as `80`, `99.5` or `80%`.
 *
 * @throws InvalidArgumentError
 */
export function percent(text: string): number {
  const value = Number(text.replace(/%$/, ''));
  if (/^\d+(\.\d+)?%?$/.test(text) && value <= 100) return value;
  throw new InvalidArgumentError('Expected a number from 0 to 100.');
}
