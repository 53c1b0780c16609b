import { Failure } from '../../udf/failure.ts';
import { type JsonPathStyle, jsonSteps } from '../../udf/json/path.ts';

/**
 * A JSONPath of GoogleSQL in DuckDB's form, every name in quotation marks; undefined for a wrong one and for one
 * that DuckDB reads otherwise. DuckDB tells indexes from names, while GoogleSQL takes the one for the other.
 */
export function duckPath(path: string, style: JsonPathStyle): string | undefined {
  try {
    const steps = jsonSteps(path, style);
    return steps.some((step) => /["\\*]|^\d/.test(step))
      ? undefined
      : `$${steps.map((step) => `."${step}"`).join('')}`;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
