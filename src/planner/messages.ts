import type { Planner } from './planner.ts';

/** To the thread: a call, that nobody waits for one any more, or that it shall end. */
export type Order =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: keyof Planner;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'end' };

/** From the thread: that it can plan, what became of a call, or a line for the log. Errors are packed. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly error: Uint8Array }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: Uint8Array }
  | { readonly kind: 'warning'; readonly message: string; readonly fields: { readonly reason: string } };
