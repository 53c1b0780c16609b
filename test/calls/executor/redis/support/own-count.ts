import type { Period, Quantity } from '../../../../../src/calls/access/caller/allowance.ts';
import { periodAt } from '../../../../../src/calls/executor/allowances/calendar-period.ts';
import type { OwnCount } from '../../../../../src/calls/executor/allowances/shared-spending.ts';

interface Wanted {
  readonly of?: Quantity;
  readonly per?: Period;
  /** A time in the period. */
  readonly at?: string;
}

/** What a replica has counted: by default, bytes of a day. */
export function ownCount(
  own: number,
  account = 'key ada',
  { of = 'bytes', per = 'day', at = '2026-01-31T13:30Z' }: Wanted = {},
): OwnCount {
  return { of, per, account, own, period: periodAt(per, Date.parse(at)) };
}
