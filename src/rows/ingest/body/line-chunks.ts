import { afterMark, byteOrderMark } from './byte-order-mark.ts';
import { maxLineBytes } from './lines.ts';

const lineFeed = 0x0a;

/**
 * Cuts bytes at line ends, each piece with a buffer of its own, which can be transferred to another thread. Removes a
 * byte order mark at the start. Of a line that is too long, retains only enough to detect it.
 *
 * @param size called for each piece: its approximate number of bytes. Longer lines make longer pieces.
 */
export async function* lineChunks(
  bytes: AsyncIterable<Uint8Array>,
  size: () => number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const gathered = new LineBuffer();
  for await (const piece of withoutMark(bytes)) {
    for (let start = 0; start < piece.length; ) {
      const room = size() - gathered.length;
      const part = piece.subarray(start, start + (room > 0 ? room : size()));
      gathered.add(part);
      start += part.length;
      if (gathered.length >= size() && gathered.hasLines) yield gathered.takeLines();
    }
  }
  if (gathered.length > 0) yield gathered.takeAll();
}

/** Buffers complete lines, and the beginning of the next line. */
class LineBuffer {
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** Number of bytes after the last line end. */
  #unfinished = 0;

  get length(): number {
    return this.#length;
  }

  get hasLines(): boolean {
    return this.#length > this.#unfinished;
  }

  add(piece: Uint8Array): void {
    const firstEnd = piece.indexOf(lineFeed);
    if (firstEnd === -1) {
      if (this.#unfinished <= maxLineBytes) this.#append(piece, piece.length);
      return;
    }
    const rest = this.#unfinished > maxLineBytes ? piece.subarray(firstEnd) : piece;
    this.#unfinished = 0;
    this.#append(rest, rest.length - 1 - rest.lastIndexOf(lineFeed));
  }

  #append(piece: Uint8Array, begun: number): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#unfinished += begun;
  }

  takeLines(): Uint8Array<ArrayBuffer> {
    const all = this.takeAll();
    const end = all.lastIndexOf(lineFeed) + 1;
    if (end === all.length) return all;
    const rest = all.slice(end);
    this.#append(rest, rest.length);
    return all.subarray(0, end);
  }

  takeAll(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#length = 0;
    this.#unfinished = 0;
    return all;
  }
}

async function* withoutMark(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begin: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of bytes) {
    if (begin === undefined) {
      yield piece;
      continue;
    }
    begin = Buffer.concat([begin, piece]);
    if (begin.length < byteOrderMark.length) continue;
    yield afterMark(begin);
    begin = undefined;
  }
  if (begin !== undefined) yield afterMark(begin);
}
