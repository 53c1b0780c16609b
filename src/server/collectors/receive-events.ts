import { GatewayError } from '../../base/errors/errors.ts';
import { countNewFields, type NewFields } from '../../definitions/sources/added-fields.ts';
import type { AddEvents, EventOutcome } from '../../rows/ingest/events/event-outcome.ts';

/** Adds fields to sources. Resolves when rows can have them. */
type AddFields = (newFields: readonly NewFields[]) => Promise<void>;

/** The outcome of a body whose new fields, if any, were added. */
export type ReceivedEvents = Exclude<EventOutcome, { readonly kind: 'new-fields' }>;

/** The outcome of a body whose rows are committed. */
export type AddedEvents = Extract<EventOutcome, { readonly kind: 'added' }>;

/** As `AddEvents`, with new fields. */
export type ReceiveEvents = (...body: Parameters<AddEvents>) => Promise<ReceivedEvents>;

/** Another body may have brought other types of the same fields meanwhile. */
const maxTries = 3;

/**
 * Returns a function that adds the events of a body. If they have new fields that their source takes, it adds the fields
 * first. It rejects as `addEvents` and `addFields` do.
 */
export function eventReceiver(addEvents: AddEvents, addFields: AddFields): ReceiveEvents {
  return async (body, request, signal) => {
    let addedFields = 0;
    for (let tries = 0; tries < maxTries; tries++) {
      const outcome = await addEvents(body, { ...request, addedFields }, signal);
      if (outcome.kind !== 'new-fields') return outcome;
      addedFields += countNewFields(outcome.newFields);
      await addFields(outcome.newFields);
    }
    throw new GatewayError('OVERLOADED', 'Too many new fields arrive at the same time.', {
      retryAfterSeconds: 1,
    });
  };
}
