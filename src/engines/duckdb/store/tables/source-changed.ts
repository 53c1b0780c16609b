import { GatewayError } from '../../../../base/errors/errors.ts';
import { haveSameKey } from '../../../../definitions/sources/row-key.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { storedColumns } from './stored-schema.ts';

/** Whether rows that were read for one form of a source are rows of the other one, too. */
export function haveSameForm(a: Source, b: Source): boolean {
  if (a === b) return true;
  const [ofA, ofB] = [a, b].map(({ columns }) => JSON.stringify(storedColumns(columns)));
  return ofA === ofB && haveSameKey(a, b);
}

/** Thrown for rows that were read for one form of a source, if they don't fit its present form or the source is gone. */
export class SourceChanged extends GatewayError {
  constructor() {
    const message = 'The source was changed meanwhile. Nothing was added. Send the rows again.';
    super('BACKEND_UNAVAILABLE', message, { retryAfterSeconds: 1 });
  }
}
