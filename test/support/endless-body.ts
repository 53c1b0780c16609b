import { Readable } from 'node:stream';

/** A body without an end: pieces of `size` bytes, until its reader leaves. */
export function endlessBody(size: number): Readable {
  const piece = Buffer.alloc(size, 'x');
  return new Readable({
    read() {
      this.push(piece);
    },
  });
}
