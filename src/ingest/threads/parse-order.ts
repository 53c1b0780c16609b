import type { ChunkForm } from '../chunk-parser.ts';
import type { ParsedChunk } from '../parsed-chunk.ts';

/** The settings of a thread. */
export interface ThreadSettings {
  /** Whether it has a lower priority than the event loop. */
  readonly isLowered: boolean;
}

/** An order to a thread. */
export interface ParseOrder {
  readonly id: number;
  readonly formId: number;
  /** Part of the first order with this form that the thread gets. */
  readonly form: ChunkForm | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The result of an order. */
export interface ParseAnswer {
  readonly id: number;
  readonly chunk: ParsedChunk;
  /** The bytes of the order, returned. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}
