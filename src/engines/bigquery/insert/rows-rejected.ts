import { GatewayError } from '../../../base/errors/errors.ts';
import type { RejectedRow } from './row-inserter.ts';

/** The number of reasons in a message. */
const maxReasons = 5;

/** Thrown when BigQuery rejects rows, so that the others were not added either. */
export class RowsRejected extends GatewayError {
  readonly rejected: readonly RejectedRow[];
  /** The number of rows that were added before: a call with more rows than fit into one request. */
  readonly added: number;

  constructor(source: string, rejected: readonly RejectedRow[], added: number) {
    const reasons = rejected.slice(0, maxReasons).map(({ index, reason }) => `row ${index + 1}: ${reason}`);
    const more = rejected.length > maxReasons ? `; and ${rejected.length - maxReasons} more` : '';
    const before = added === 0 ? 'No row was added' : `Rows before them that were added: ${added}`;
    super('BAD_USER_INPUT', `Rejected rows of ${source}: ${reasons.join('; ')}${more}. ${before}.`);
    this.rejected = rejected;
    this.added = added;
  }
}
