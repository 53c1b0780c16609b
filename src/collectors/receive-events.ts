import { GatewayError } from '../errors.ts';
import type { TableField } from '../sources/table-field.ts';
import type { AddEvents, EventBody, EventOutcome } from './events.ts';

/** Adds fields to a source. Resolves when rows can have them. */
export type AddFields = (source: string, fields: readonly TableField[]) => Promise<void>;

/** Another body may have brought other types of the same fields meanwhile. */
const maxTries = 3;

/** The outcome of a body whose new fields, if any, were added. */
export type ReceivedEvents = Exclude<EventOutcome, { readonly kind: 'new-fields' }>;

/**
 * Adds the events of a body. If they have new fields, and their source takes them, adds the fields first.
 *
 * @throws as `AddEvents` and `AddFields` do
 */
export async function receiveEvents(
  body: EventBody,
  { addEvents, addFields }: { readonly addEvents: AddEvents; readonly addFields: AddFields },
  signal: AbortSignal,
): Promise<ReceivedEvents> {
  for (let tries = 0; tries < maxTries; tries++) {
    const outcome = await addEvents(body, signal);
    if (outcome.kind !== 'new-fields') return outcome;
    for (const { source, fields } of outcome.newFields) await addFields(source, fields);
  }
  throw new GatewayError('OVERLOADED', 'Too many new fields arrive at the same time.', {
    retryAfterSeconds: 1,
  });
}
