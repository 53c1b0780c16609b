import { GatewayError } from '../../../base/errors/errors.ts';
import type { Allowance, Quantity } from '../../access/caller/allowance.ts';
import type { Spender } from '../../access/caller/spender.ts';
import type { CalendarPeriod } from './calendar-period.ts';

const words: Readonly<Record<Quantity, string>> = {
  calls: 'calls',
  rows: 'rows',
  'engine-seconds': 'engine seconds',
  bytes: 'bytes billed',
};

const articles = { hour: 'an hour', day: 'a day', month: 'a month' };

/** Thrown when an allowance is spent: nothing runs on it before the next period. */
export class AllowanceSpent extends GatewayError {
  readonly of: Quantity;
  readonly kind: Spender['kind'];

  /**
   * @param used in the unit of the allowance
   * @param now in milliseconds since the epoch
   */
  constructor(
    { kind, called }: Spender,
    { of, amount, per }: Allowance,
    used: number,
    { end }: CalendarPeriod,
    now: number,
  ) {
    const figure = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 1 });
    const next = new Date(end).toISOString().replace('.000Z', 'Z');
    const message = `${called} has used ${figure(used)} of its ${figure(amount)} ${words[of]} ${articles[per]}. It has more from ${next}.`;
    const retryAfterSeconds = Math.max(1, Math.ceil((end - now) / 1000));
    // The budget of an endpoint is no limit of the caller.
    super(kind === 'endpoint' ? 'COST_LIMIT_EXCEEDED' : 'ALLOWANCE_EXHAUSTED', message, {
      retryAfterSeconds,
    });
    this.of = of;
    this.kind = kind;
  }
}
