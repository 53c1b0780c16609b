/** Observes calls of BigQuery, attempt by attempt. */
export interface ApiMeter {
  /** An attempt ended: with a response, an error, or neither. */
  attempt(outcome: 'answer' | 'error' | 'no-answer'): void;
  /** An attempt is about to be retried. */
  retry(): void;
  /** A call was refused without contacting BigQuery, because the breaker is open. */
  refused(): void;
  /** The breaker opened or closed. */
  breaker(isOpen: boolean): void;
}

export const noApiMeter: ApiMeter = { attempt() {}, retry() {}, refused() {}, breaker() {} };
