import type { Writable } from 'node:stream';
import { written } from '../../base/async/written.ts';
import { isCode } from '../../base/system/is-code.ts';

/** Writes pieces at the pace of the reader. @throws if writing fails: see `isBrokenPipe` */
export async function writePieces(pieces: AsyncIterable<Uint8Array>, stdout: Writable): Promise<void> {
  const ignore = () => undefined;
  // The write rejects as well.
  stdout.on('error', ignore);
  try {
    for await (const piece of pieces) await written(stdout, piece);
  } finally {
    stdout.off('error', ignore);
  }
}

/** Whether writing failed because the reader of a pipe, such as `head`, has enough. */
export function isBrokenPipe(error: unknown): boolean {
  return isCode(error, 'EPIPE');
}
