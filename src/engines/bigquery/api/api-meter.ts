/** Hears what is asked of BigQuery and what comes of it, attempt by attempt. */
export interface ApiMeter {
  /** An attempt is over: it was answered well, by an error, or not at all. */
  attempt(outcome: 'answer' | 'error' | 'no-answer'): void;
  /** Something is about to be tried again. */
  retry(): void;
  /** A call was refused without asking, because BigQuery is down. */
  refused(): void;
  /** Whether BigQuery counts as down, from now on. */
  breaker(isOpen: boolean): void;
}

export const noApiMeter: ApiMeter = { attempt() {}, retry() {}, refused() {}, breaker() {} };
