import { GatewayError } from '../../../errors.ts';
import type { Source } from '../../../sources/source.ts';
import { storedColumns } from './stored-schema.ts';

/** Whether rows that were read for one form of a source are rows of the other one, too. */
export function haveSameForm(a: Source, b: Source): boolean {
  return a === b || JSON.stringify(storedColumns(a.columns)) === JSON.stringify(storedColumns(b.columns));
}

/** Rows that were read for one form of a source don't fit its present form, or the source is gone. */
export function sourceChanged(): GatewayError {
  const message = 'The source was changed during the import. Nothing was imported. Import the rows again.';
  return new GatewayError('BACKEND_UNAVAILABLE', message, { retryAfterSeconds: 1 });
}
