import { JsonNumber } from '../../../../base/text/json-number.ts';

/** A body that is no request of OTLP. */
export class OtlpError extends Error {
  override readonly name = 'OtlpError';
}

/** Values within values that are read. */
export const maxValueDepth = 64;

/** A double, recognisable as such even if it is whole. One that isn't finite is a text, as in JSON rows. */
export function doubleNumber(double: number): JsonNumber | string {
  if (!Number.isFinite(double)) return String(double);
  const text = Object.is(double, -0) ? '-0' : String(double);
  return new JsonNumber(/^-?\d+$/.test(text) ? `${text}.0` : text);
}
