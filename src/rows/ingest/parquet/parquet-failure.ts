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
 *
 * @param coarseTimes the columns whose times can be out of DuckDB's range
 */
export function parquetFailure(error: unknown, coarseTimes: readonly string[] = []): unknown {
  if (error instanceof GatewayError || !(error instanceof Error)) return error;
  const shortage = shortageError(error);
  if (shortage !== undefined) return shortage;
  if (/^Conversion Error: Could not convert Timestamp/.test(error.message)) {
    const columns = coarseTimes.length === 0 ? 'a column' : coarseTimes.join(' or ');
    const text = `It can't be read as Parquet: a time in ${columns} is out of range. Times are from the year 1 to 9999.`;
    return new GatewayError('BAD_USER_INPUT', text, { cause: error });
  }
  const reason = reasons.find(([pattern]) => pattern.test(error.message));
  if (reason === undefined) return error;
  return new GatewayError('BAD_USER_INPUT', `It can't be read as Parquet: ${reason[1]}.`, { cause: error });
}
