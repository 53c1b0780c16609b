import type { ChunkForm } from '../chunk-parser.ts';
import type { ParsedChunk } from '../parsed-chunk.ts';

/** The settings of a thread. */
export interface ThreadSettings {
  /** Whether it comes behind the event loop. */
  readonly isLowered: boolean;
}

/** What a thread is asked to do. */
export interface ParseOrder {
  readonly id: number;
  readonly formId: number;
  /** With the first order of this form that the thread gets. */
  readonly form: ChunkForm | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What it answers. */
export interface ParseAnswer {
  readonly id: number;
  readonly chunk: ParsedChunk;
  /** The bytes of the order, given back. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}
