import type { Source } from '../../../definitions/sources/source.ts';
import type { EventLimits, EventRequest } from '../events/event-request.ts';
import type { ParsedEvents } from '../events/parsed-events.ts';
import type { ChunkForm } from '../parse/chunk-parser.ts';
import type { ParsedChunk } from '../parse/parsed-chunk.ts';

/** The settings of a thread. */
export interface ThreadSettings {
  /** Whether it has a lower priority than the event loop. */
  readonly isLowered: boolean;
}

/** An order to a thread. */
export interface ParseOrder<Form = ChunkForm, Request = undefined> {
  readonly id: number;
  readonly formId: number;
  /** Part of the first order with this form that the thread gets. */
  readonly form: Form | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How to parse these bytes, besides the form. */
  readonly request: Request;
}

/** The result of an order. */
export interface ParseAnswer {
  readonly id: number;
  readonly chunk: ParsedChunk;
  /** The bytes of the order, returned. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The settings of a thread that parses events. */
export interface EventThreadSettings extends ThreadSettings {
  /** The default limits if undefined. */
  readonly limits?: EventLimits | undefined;
}

/** An order to parse a body of events. */
export type EventOrder = ParseOrder<readonly Source[], EventRequest>;

/** The result of an order: the events, or an error as `packError` writes it. */
export interface EventAnswer {
  readonly id: number;
  readonly parsed?: ParsedEvents;
  readonly error?: Uint8Array;
}

/** More forms than that are rarely in use at a time. */
const maxForms = 16;

/**
 * Remembers what belongs to a form, and forgets the oldest one beyond a limit. A thread and its user forget at the same
 * order.
 */
export function remember<K, V>(forms: Map<K, V>, form: K, value: V): void {
  forms.set(form, value);
  const [oldest] = forms.keys();
  if (forms.size > maxForms && oldest !== undefined) forms.delete(oldest);
}
