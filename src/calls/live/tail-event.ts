import type { ShownRows } from '../executor/shown-rows.ts';

/** What happens in a tail. */
export type TailEvent =
  | {
      readonly kind: 'rows';
      /** Oldest first. They are there until the next event is asked for. */
      readonly rows: ShownRows;
      /** From where the tail goes on for a client that has these rows. */
      readonly cursor: string;
    }
  /** Rows are left out, because the client was too slow or was away for too long. */
  | { readonly kind: 'skipped' }
  /** A run has failed. Another one follows. */
  | { readonly kind: 'error'; readonly error: unknown };
