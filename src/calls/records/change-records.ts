import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/system/clock.ts';
import type { Caller } from '../access/caller/caller.ts';
import { whoseOf } from './call-records.ts';
import type { RecordRow, RecordWriter } from './record-writer.ts';

/** Something that an operator has changed. */
export interface Change {
  /** What was done, such as `key.created`. */
  readonly action: string;
  /** What it was done to: the name of a key, a source or an endpoint. */
  readonly target?: string;
  /** What else is known of it. Nothing in it may be a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** When it happened, in milliseconds since the epoch; by default, now. */
  readonly at?: number;
  /** Identifies a change that several gateways may notice, at that time: it is recorded once. */
  readonly identity?: string;
}

/** Who has made a change with a request. */
interface ChangedBy {
  readonly caller?: Caller | undefined;
  readonly requestId?: string;
}

interface ChangeRecordsOptions {
  readonly writer: Pick<RecordWriter, 'add' | 'close'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/** A change as a row of `gateway.changes`, without who has made it. */
export function changeRow(
  { action, target, details, at }: Change & { readonly at: number },
  id: string,
): RecordRow {
  const timestamp = new Date(at).toISOString();
  return { id, timestamp, action, target, ...(details && { details }) };
}

/** How long a noticed change waits for the request that has made it, in milliseconds. */
const noticeMs = 5_000;

/** Records changes as rows of `gateway.changes`. */
export class ChangeRecords {
  readonly #options: ChangeRecordsOptions;
  /** The identities of changes that requests have made. */
  readonly #made = new Set<string>();

  constructor(options: ChangeRecordsOptions) {
    this.#options = options;
  }

  /** Records a change that another process may have made, unless a request to this one has made it. */
  notice(change: Change & { readonly identity: string }): void {
    this.#options.clock.after(noticeMs, () => {
      if (!this.#made.delete(change.identity)) this.record(change);
    });
  }

  record(change: Change, { caller, requestId }: ChangedBy = {}): void {
    const { writer, clock } = this.#options;
    const { identity } = change;
    if (identity !== undefined && caller !== undefined) this.#made.add(identity);
    const row = changeRow({ at: clock.now(), ...change }, identity ?? randomUUID());
    writer.add({ ...row, ...whoseOf(caller), request_id: requestId });
  }

  /**
   * Records what another process has noted as a row.
   *
   * @param whenStored called when it is stored
   */
  takeOver(row: RecordRow, whenStored: () => void): void {
    this.#options.writer.add(row, whenStored);
  }

  close(): Promise<void> {
    return this.#options.writer.close();
  }
}
