import { GatewayError } from '../../../base/errors/errors.ts';
import { shortageError } from '../../../engines/duckdb/store/upkeep/shortage.ts';

const reasons = [
  [/encrypted/i, 'it is encrypted'],
  [/^Not implemented Error/, 'it has a type or a compression that is not supported'],
  [/^(?:Invalid(?: Input)?|IO|Serialization) Error/, 'it is damaged or cut short'],
] as const;

/**
 * The error of a Parquet file that DuckDB can't read, in words for the importer. An error that is not about the file is
 * returned unchanged.
 */
export function parquetFailure(error: unknown): unknown {
  if (error instanceof GatewayError || !(error instanceof Error)) return error;
  const shortage = shortageError(error);
  if (shortage !== undefined) return shortage;
  const reason = reasons.find(([pattern]) => pattern.test(error.message));
  if (reason === undefined) return error;
  return new GatewayError('BAD_USER_INPUT', `It can't be read as Parquet: ${reason[1]}.`, { cause: error });
}
