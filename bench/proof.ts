import { isDeepStrictEqual } from 'node:util';

/** Thrown when a measurement did not measure what it claims. Its part of the benchmark fails. */
export class MeasurementError extends Error {
  override readonly name = 'MeasurementError';
}

/**
 * Requires a condition of a measurement.
 *
 * @param failure describes the failure
 * @throws MeasurementError
 */
export function prove(isTrue: boolean, failure: string): asserts isTrue {
  if (!isTrue) throw new MeasurementError(failure);
}

/**
 * Requires that a number or text equals the expected one.
 *
 * @throws MeasurementError naming both
 */
export function proveIs<T extends number | string | undefined>(actual: T, expected: T, what: string): void {
  prove(actual === expected, `${what}: expected ${expected}, found ${actual}`);
}

/**
 * Requires that two values are deeply equal.
 *
 * @throws MeasurementError
 */
export function proveSame(actual: unknown, expected: unknown, failure: string): void {
  prove(isDeepStrictEqual(actual, expected), failure);
}

/** Runs some work. Its measurement errors get the prefix `what`. */
export async function about<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MeasurementError) throw new MeasurementError(`${what}: ${error.message}`);
    throw error;
  }
}
