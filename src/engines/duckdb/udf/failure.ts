import { raisedPrefix, raisedSuffix, transientPrefix } from '../raised-error.ts';

/** What a function in JavaScript throws for a value that it doesn't take, in the words of BigQuery. */
export class Failure extends Error {
  constructor(message: string) {
    // Nobody reads where it came from, and finding that out takes ten times as long as all the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** What a function can't do, or not in time, though BigQuery can: no error of BigQuery's, so SAFE. makes no NULL of it. */
export class Refusal extends Failure {}

/** What a function can't do at this moment: another time it may. */
export class TransientRefusal extends Refusal {}

/** An error as the text that a function gives to DuckDB. Of another one than a `Failure`, a defect, callers learn nothing. */
export function raisedText(error: unknown): string {
  const message = error instanceof Failure ? error.message : 'A function failed';
  return `${error instanceof TransientRefusal ? transientPrefix : raisedPrefix}${message}${raisedSuffix}`;
}
