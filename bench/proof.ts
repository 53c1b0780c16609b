import { isDeepStrictEqual } from 'node:util';

/** A measurement that did not measure what it says. Its part of the benchmark has failed. */
export class MeasurementError extends Error {
  override readonly name = 'MeasurementError';
}

/**
 * Requires that something about a measurement is true.
 *
 * @param failure says what is wrong when it isn't
 * @throws MeasurementError
 */
export function prove(isTrue: boolean, failure: string): asserts isTrue {
  if (!isTrue) throw new MeasurementError(failure);
}

/**
 * Requires that a number or a text is the expected one.
 *
 * @throws MeasurementError that names both
 */
export function proveIs<T extends number | string | undefined>(actual: T, expected: T, what: string): void {
  prove(actual === expected, `${what}: expected ${expected}, found ${actual}`);
}

/**
 * Requires that two values are the same in all their parts.
 *
 * @throws MeasurementError
 */
export function proveSame(actual: unknown, expected: unknown, failure: string): void {
  prove(isDeepStrictEqual(actual, expected), failure);
}

/** Does some work, in whose failures of measurement `what` is named. */
export async function about<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MeasurementError) throw new MeasurementError(`${what}: ${error.message}`);
    throw error;
  }
}
