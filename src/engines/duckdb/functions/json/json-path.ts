import { Failure } from '../../../../sql/regexp/failure.ts';
import { type JsonPathStyle, jsonSteps } from '../../udf/json/path.ts';

/**
 * A GoogleSQL JSONPath in DuckDB's form, with every name quoted. Undefined for an invalid path, and for one that DuckDB
 * interprets differently: DuckDB distinguishes indexes from names, while GoogleSQL accepts either.
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
