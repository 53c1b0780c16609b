import type { Planner } from './planner.ts';

/** Messages to the thread: a call, its cancellation, or the order to end. */
export type Order =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: keyof Planner;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'end' };

/** Messages from the thread: readiness, that it has heard of a cancellation, the outcome of a call, or a log line. Errors are packed. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly error: Uint8Array }
  | { readonly kind: 'cancelling'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: Uint8Array }
  | { readonly kind: 'warning'; readonly message: string; readonly fields: { readonly reason: string } };
