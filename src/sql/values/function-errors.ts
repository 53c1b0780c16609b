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
