import { GatewayError } from '../../../../base/errors/errors.ts';

const shortages = [
  [/no space left on device|disk quota exceeded|max_temp_directory_size/i, 'its disk is full'],
  [/^Out of Memory Error/, 'they need more memory than DUCKDB_MEMORY_LIMIT allows'],
] as const;

/** When space may be available again. */
const retryAfterSeconds = 10;

/**
 * The error of a write that failed for lack of space, in words for the sender of the rows: neither the sender's mistake nor
 * a defect. Undefined for other errors.
 */
export function shortageError(error: unknown): GatewayError | undefined {
  const text = error instanceof Error ? error.message : String(error);
  const shortage = shortages.find(([pattern]) => pattern.test(text));
  if (shortage === undefined) return undefined;
  return new GatewayError('BACKEND_UNAVAILABLE', `The store cannot add the rows: ${shortage[1]}.`, {
    cause: error,
    retryAfterSeconds,
  });
}
