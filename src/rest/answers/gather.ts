import { answerTooLarge, maxAnswerBytes } from '../../engines/result-size.ts';

/**
 * Collects the pieces of a body.
 *
 * @throws GatewayError QUERY_FAILED when they are larger than `maxAnswerBytes`
 */
export async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const gathered: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxAnswerBytes) throw answerTooLarge();
    // It is valid only until the next one.
    gathered.push(Buffer.from(piece));
  }
  return Buffer.concat(gathered, size);
}
