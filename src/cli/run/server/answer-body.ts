import { CommandError } from '../../../base/errors/command-error.ts';
import { megabytes } from '../../../base/forms/bytes.ts';
import { textUpTo } from '../../../base/text/text-up-to.ts';
import type { ServerAddress } from './server-address.ts';

/** In bytes. */
const longestRefusal = 2 ** 20;

/** In bytes, for an answer that is kept as a whole. */
const longestKept = 256e6;

/**
 * The whole text of an answer.
 *
 * @throws CommandError for one that is too long to be kept
 */
export async function wholeBody({ url }: ServerAddress, pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const text = await textUpTo(pieces, longestKept);
  if (text !== undefined) return text;
  throw new CommandError(
    `The answer of ${url} has more than ${megabytes(longestKept)}. Use --format csv, which is not kept in memory.`,
  );
}

/** The start of an answer that is no result: what is no gateway may send without end. */
export async function startOfBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      length += piece.length;
      if (length > longestRefusal) break;
    }
  } catch {
    // What came is judged.
  }
  return Buffer.concat(pieces).toString();
}
