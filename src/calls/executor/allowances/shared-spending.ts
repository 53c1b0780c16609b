import type { Period, Quantity } from '../../access/caller/allowance.ts';
import type { CalendarPeriod } from './calendar-period.ts';

/** What identifies a count. */
export interface CountName {
  readonly of: Quantity;
  readonly per: Period;
  readonly period: CalendarPeriod;
  readonly account: string;
}

/** A count of this process. */
export interface OwnCount extends CountName {
  /** A whole number; 0 publishes nothing. */
  readonly own: number;
}

/** The same count as others know it. */
export interface SharedCount {
  /** What this process has published before. */
  readonly mine: number;
  readonly others: number;
}

/** Keeps counts of use beyond the process: for other replicas, or for the next run. */
export interface SharedSpending {
  /**
   * Publishes counts of this process, and returns what is known of each, in the same order. Never rejects.
   *
   * @returns undefined if nothing is known within a few milliseconds
   */
  exchange(counts: readonly OwnCount[]): Promise<readonly SharedCount[] | undefined>;
  /** Calls back whenever what was published may have been lost. */
  onLost?(listener: () => void): void;
}
