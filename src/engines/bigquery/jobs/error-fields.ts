import { ApiError } from '../api/api-error.ts';
import { JobError } from './job-error.ts';

/** The full error, for the log. */
export function errorFields(error: unknown) {
  const reason = error instanceof ApiError || error instanceof JobError ? error.proto.reason : '';
  const status = error instanceof ApiError ? error.status : undefined;
  return {
    ...(status !== undefined && { status }),
    ...(reason !== '' && { reason }),
    message: error instanceof Error ? error.message : String(error),
  };
}
