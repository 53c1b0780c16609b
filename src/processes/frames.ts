/**
 * Frames over a stream: `[u32 length][u8 kind][u32 id][payload]`, big-endian, where `length` is the payload's. A payload of more
 * than a part goes in several frames of one kind and id: all but the last are full, and have the bit `hasMore` in their kind. Parts
 * of other ids may come in between; what has one id stays in its order.
 */
export interface Frame {
  /** What it says, 0 to 127: the protocol above knows. */
  readonly kind: number;
  /** What it belongs to, as a call. */
  readonly id: number;
  readonly payload: Uint8Array;
}

/** Bytes of a payload that go in one frame: something small waits for so much of what is large, and not for all of it. */
export const defaultPartBytes = 1 << 20;

export const headerBytes = 9;
export const hasMore = 0x80;
export const maxKind = 0x7f;

/** What came is no sequence of frames, or more than may come. The connection is of no use any more. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}
