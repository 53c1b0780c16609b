import { GatewayError } from '../../../base/errors/errors.ts';

/** A line that is not a valid row of its source, and why. */
export interface BadRow {
  /** From 1; in a Parquet file the number of the row. */
  readonly line: number;
  /** Such as `metadata[0].status: expected INT64, got "abc"`. */
  readonly reason: string;
  /** The line itself, shortened if necessary. */
  readonly text: string;
}

/** A bad row as named in a response. */
export type BadRowNotice = Pick<BadRow, 'line' | 'reason'>;

/** Maximum number of bad rows that a response or an error describes. Further ones are only counted. */
const namedRows = 20;

/** Counts the bad rows of an import and retains the first ones. */
export class BadRows {
  readonly named: BadRowNotice[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add({ line, reason }: BadRow): void {
    this.#count += 1;
    if (this.named.length < namedRows) this.named.push({ line, reason });
  }
}

/** Thrown by an import that adds all rows or none and met bad ones, or that met more bad rows than allowed. */
export class RowsRefused extends GatewayError {
  readonly badRows: BadRows;

  /** @param limit the allowed number, if it was exceeded */
  constructor(badRows: BadRows, limit?: number) {
    super('BAD_USER_INPUT', refusal(badRows, limit));
    this.badRows = badRows;
  }
}

function refusal({ count, named }: BadRows, limit?: number): string {
  const lines = named.map(({ line, reason }) => `line ${line}: ${reason}`);
  if (count > named.length) lines.push(`and ${count - named.length} more`);
  const subject = count === 1 ? 'A row does' : `${count} rows do`;
  if (limit !== undefined) {
    const last = `and ${(limit - named.length).toLocaleString('en')} more`;
    const shown = [...lines.slice(0, named.length), last].join('; ');
    return `More than ${limit.toLocaleString('en')} rows do not fit, which is the limit. Nothing was imported: ${shown}`;
  }
  return `${subject} not fit, nothing was imported: ${lines.join('; ')}`;
}
