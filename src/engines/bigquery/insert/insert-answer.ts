import { z } from 'zod';
import { ApiError, type ErrorProto } from '../api/api-error.ts';

const errorProto = z.object({
  reason: z.string().default(''),
  message: z.string().default(''),
  location: z.string().optional(),
});

const okStatus = 200;

/** The response to `tabledata.insertAll`. It has status 200 even if no row was added. */
export const insertAnswer = z.object({
  kind: z.literal('bigquery#tableDataInsertAllResponse'),
  insertErrors: z
    .array(z.object({ index: z.int().nonnegative(), errors: z.array(errorProto).default([]) }))
    .default([]),
});

/**
 * The rows that BigQuery rejects because of their values, by their position in the request: an error for each. A row
 * with the reason `stopped` is not rejected: it was not added because of others.
 *
 * @throws ApiError if BigQuery could not add rows for another reason, or does not say for which. Then it may have added
 *   others.
 */
export function rejectedRows({
  insertErrors,
}: z.infer<typeof insertAnswer>): ReadonlyMap<number, ErrorProto> {
  const rejected = new Map<number, ErrorProto>();
  let other: ErrorProto | undefined;
  for (const { index, errors } of insertErrors) {
    for (const { location, ...error } of errors) {
      const proto = location === undefined || location === '' ? error : { ...error, location };
      if (proto.reason === 'invalid') rejected.set(index, rejected.get(index) ?? proto);
      else if (proto.reason !== 'stopped') other ??= proto;
    }
  }
  if (other !== undefined) throw new ApiError(okStatus, other);
  if (insertErrors.length > 0 && rejected.size === 0) {
    throw new ApiError(okStatus, {
      reason: 'backendError',
      message: 'rows were not added, without a reason',
    });
  }
  return rejected;
}
