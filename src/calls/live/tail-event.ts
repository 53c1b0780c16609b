import type { ExecutorResult } from '../executor/executor.ts';

/** Rows of a tail, oldest first. Those who get the same rows share what is made of them. */
export type TailRows = Pick<ExecutorResult, 'columns' | 'rows' | 'bodies' | 'truncated'>;

/** What happens in a tail. */
export type TailEvent =
  | {
      readonly kind: 'rows';
      readonly rows: TailRows;
      /** From where the tail goes on for a client that has these rows. */
      readonly cursor: string;
    }
  /** Rows are left out, because the client was too slow or was away for too long. */
  | { readonly kind: 'skipped' }
  /** A run has failed. Another one follows. */
  | { readonly kind: 'error'; readonly error: unknown };
