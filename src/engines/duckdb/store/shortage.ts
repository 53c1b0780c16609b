import { GatewayError } from '../../../errors.ts';

const shortages = [
  [/no space left on device|disk quota exceeded|max_temp_directory_size/i, 'its disk is full'],
  [/^Out of Memory Error/, 'they need more memory than DUCKDB_MEMORY_LIMIT allows'],
] as const;

/** When there may be room again. */
const retryAfterSeconds = 10;

/**
 * The error of a write that failed for want of room, in words for whoever sends rows: not their fault, and no
 * defect. Undefined for other errors.
 */
export function shortageError(error: unknown): GatewayError | undefined {
  const text = error instanceof Error ? error.message : String(error);
  const shortage = shortages.find(([pattern]) => pattern.test(text));
  if (shortage === undefined) return undefined;
  return new GatewayError('BACKEND_UNAVAILABLE', `The store can't take the rows: ${shortage[1]}.`, {
    cause: error,
    retryAfterSeconds,
  });
}
