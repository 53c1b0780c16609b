import { largeAnswerBytes } from '../../../base/memory/large-answers.ts';
import { answerTooLarge, maxAnswerBytes } from '../../../engines/engine/result-size.ts';

/**
 * Collects the pieces of a body.
 *
 * @param whenLarge called once, before much memory is used
 * @throws GatewayError QUERY_FAILED when they are larger than `maxAnswerBytes`
 */
export async function gather(
  pieces: AsyncIterable<Uint8Array>,
  whenLarge?: () => Promise<void>,
): Promise<Buffer> {
  const gathered: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const isFirstLarge = size <= largeAnswerBytes && size + piece.length > largeAnswerBytes;
    size += piece.length;
    if (size > maxAnswerBytes) throw answerTooLarge();
    // It is valid only until the next one.
    gathered.push(Buffer.from(piece));
    if (isFirstLarge) await whenLarge?.();
  }
  return Buffer.concat(gathered, size);
}
