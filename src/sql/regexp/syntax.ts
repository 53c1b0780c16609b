/** The syntax tree of a regular expression in RE2's syntax. */
export type Node =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'character';
      readonly matches: (character: string) => boolean;
      /** The only matching character, if the pattern names one. */
      readonly literal?: string;
    }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'group'; readonly index: number; readonly inner: Node }
  | {
      readonly kind: 'repeat';
      readonly inner: Node;
      readonly min: number;
      readonly max: number;
      readonly isGreedy: boolean;
    };

export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'wordBoundary' | 'noWordBoundary';

/** The flags that `(?imsU)` sets. */
export interface Flags {
  /** Letter case is ignored. */
  readonly i: boolean;
  /** `^` and `$` also match at line ends. */
  readonly m: boolean;
  /** `.` also matches line ends. */
  readonly s: boolean;
  /** Greedy and reluctant repetition are swapped. */
  readonly U: boolean;
}

export interface Pattern {
  readonly root: Node;
  readonly groups: number;
}

/** Thrown by a function in JavaScript for invalid arguments, in BigQuery's words. */
export class Failure extends Error {
  constructor(message: string) {
    // Without a stack trace: nobody reads it, and capturing it takes ten times as long as everything else.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Thrown for what a function can't compute, or not in time, although BigQuery can. SAFE. doesn't turn it into NULL. */
export class Refusal extends Failure {}

/** Thrown for what a function can't compute now because of a transient condition. */
export class TransientRefusal extends Refusal {}

/** The error of a query that has ended. Its caller gets the reason of its end. */
export function hasEnded(): TransientRefusal {
  return new TransientRefusal('The query has been ended');
}
