import type { EventLimits } from '../events/event-request.ts';
import type { ParsedChunk } from '../parse/parsed-chunk.ts';

/** The calls to a thread that parses bytes. */
export interface ParseCalls<Form, Request, Result> {
  /**
   * @param formId tells forms apart
   * @param form part of the first call with this form that the thread gets
   * @param request how to parse these bytes, besides the form
   */
  parse(
    formId: number,
    form: Form | undefined,
    bytes: Uint8Array<ArrayBuffer>,
    request: Request,
  ): Promise<Result>;
}

/** The result for a chunk of lines. */
export interface ReturnedChunk {
  readonly chunk: ParsedChunk;
  /** The bytes of the call, returned. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The settings of a thread. */
export interface ThreadSettings {
  /** Whether it has a lower priority than the event loop. */
  readonly isLowered: boolean;
  /** Of threads that parse events. The default limits if undefined. */
  readonly limits?: EventLimits | undefined;
}

/** More forms than that are rarely in use at a time. */
const maxForms = 16;

/**
 * Remembers what belongs to a form, and forgets the oldest one beyond a limit. A thread and its user forget at the same
 * call.
 */
export function remember<K, V>(forms: Map<K, V>, form: K, value: V): void {
  forms.set(form, value);
  const [oldest] = forms.keys();
  if (forms.size > maxForms && oldest !== undefined) forms.delete(oldest);
}
