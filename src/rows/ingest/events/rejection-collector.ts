import { GatewayError } from '../../../base/errors/errors.ts';
import type { ParsedEvents, Rejection, RejectionCount } from './parsed-events.ts';

/** Rejected events that are described. Further ones are only counted. */
const maxDescribed = 1_000;
/** Characters of a rejected event, and of all of them. */
const maxText = 10_000;
const maxTexts = 4_000_000;

/** Collects the rejected events of a body. */
export class RejectionCollector {
  readonly #maxRejected: number;
  readonly #described: Rejection[] = [];
  /** By their indexes. */
  readonly refusals = new Map<number, Pick<Rejection, 'reason' | 'cause'>>();
  readonly #counts = new Map<string, RejectionCount>();
  #length = 0;
  #count = 0;

  constructor(maxRejected: number) {
    this.#maxRejected = maxRejected;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Counts a rejected event, and keeps it if it is one of the first.
   *
   * @param rejection its text may be long
   * @throws GatewayError BAD_USER_INPUT beyond the limit
   */
  add(rejection: Rejection): void {
    this.#count += 1;
    if (this.#count > this.#maxRejected) throw this.#tooMany(rejection);
    const { source, cause, reason, index } = rejection;
    this.refusals.set(index, { reason, cause });
    const key = JSON.stringify([source, cause]);
    this.#counts.set(key, { source, cause, count: (this.#counts.get(key)?.count ?? 0) + 1 });
    if (this.#described.length >= maxDescribed) return;
    const room = Math.max(0, Math.min(maxText, maxTexts - this.#length));
    const text = rejection.text.slice(0, room).toWellFormed();
    this.#length += text.length;
    this.#described.push({ ...rejection, text });
  }

  take(): Pick<ParsedEvents, 'rejected' | 'rejectedCount' | 'rejectedBy'> {
    return {
      rejected: this.#described,
      rejectedCount: this.#count,
      rejectedBy: [...this.#counts.values()],
    };
  }

  #tooMany({ unit, index, reason }: Rejection): GatewayError {
    const limit = this.#maxRejected.toLocaleString('en');
    const message = `More than ${limit} events do not fit, which is the limit. Nothing was stored. The last was ${unit} ${index}: ${reason}`;
    return new GatewayError('BAD_USER_INPUT', message);
  }
}
