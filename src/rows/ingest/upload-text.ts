import { lineMark } from './body/line-mark.ts';
import type { ChunkOfLines } from './parse/parsed-lines.ts';
import type { SortedChunk } from './parse/without-bad-rows.ts';
import type { ChunkOfBytes } from './parsed-bytes.ts';

const lineFeed = 0x0a;

/** The lines that are rows. After skipped lines, a mark tells the server the number of the next one. */
export async function* uploadText(
  chunks: AsyncIterable<SortedChunk<ChunkOfBytes | ChunkOfLines>>,
): AsyncGenerator<Uint8Array> {
  /** The number that the server assigns to the next line without a mark. */
  let next = 1;
  for await (const { chunk, before } of chunks) {
    const parts: Uint8Array[] = [];
    const send = (first: number, lines: number, bytes: Uint8Array) => {
      if (first !== next) parts.push(Buffer.from(lineMark(first)));
      parts.push(bytes);
      next = first + lines;
    };
    const skipped = new Set([...chunk.bad.map(({ line }) => line), ...chunk.blanks]);
    if ('texts' in chunk) {
      for (const { number, text } of chunk.texts) {
        if (!skipped.has(number - before)) send(number, 1, Buffer.from(`${text}\n`));
      }
    } else if (skipped.size === 0) {
      if (chunk.lines > 0) send(before + 1, chunk.lines, Buffer.concat(chunk.pieces));
    } else {
      for (const [index, line] of linesOf(chunk.pieces).entries()) {
        if (!skipped.has(index + 1)) send(before + index + 1, 1, line);
      }
    }
    if (parts.length > 0) yield Buffer.concat(parts);
  }
}

/** The lines, each with its end. */
function linesOf(pieces: readonly Uint8Array[]): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; ) {
      const end = piece.indexOf(lineFeed, start);
      const next = end === -1 ? piece.length : end + 1;
      lines.push(piece.subarray(start, next));
      start = next;
    }
  }
  return lines;
}
