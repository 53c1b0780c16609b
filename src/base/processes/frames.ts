/**
 * Frames over a stream: `[u32 length][u8 kind][u32 id][payload]`, big-endian, where `length` is that of the payload. A
 * payload longer than a part takes several frames of one kind and id. All but the last are full and have the bit
 * `hasMore` in their kind. Frames of other ids may come in between; those of one id stay in order.
 */
export interface Frame {
  /** The message type, 0 to 127, defined by the protocol. */
  readonly kind: number;
  /** The call it belongs to. */
  readonly id: number;
  readonly payload: Uint8Array;
}

/** Maximum payload of one frame, in bytes. A small message waits for at most one such part of a large one. */
export const defaultPartBytes = 1 << 20;

export const headerBytes = 9;
export const hasMore = 0x80;
export const maxKind = 0x7f;

/** Thrown for invalid or oversized frames. The connection can't be used any more. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}
