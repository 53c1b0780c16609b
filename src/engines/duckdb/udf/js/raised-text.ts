import { Failure, TransientRefusal } from '../../../../sql/regexp/failure.ts';
import { raisedPrefix, raisedSuffix, transientPrefix } from '../../dialect/raised-error.ts';

/** An error as text for DuckDB. Callers learn nothing about errors that are not a `Failure`, which are defects. */
export function raisedText(error: unknown): string {
  const message = error instanceof Failure ? error.message : 'A function failed';
  return `${error instanceof TransientRefusal ? transientPrefix : raisedPrefix}${message}${raisedSuffix}`;
}
