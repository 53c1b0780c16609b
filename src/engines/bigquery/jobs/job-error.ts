import type { ErrorProto } from '../api/api-error.ts';

/** Thrown for a failed job: its `status.errorResult`. The message is BigQuery's own, and not for callers. */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly proto: ErrorProto;

  constructor(proto: ErrorProto) {
    super(proto.message);
    this.proto = proto;
  }
}
