/**
 * Collects a text in UTF-8.
 *
 * @param mostBytes a longer text is not read further
 * @returns undefined for a longer text
 * @throws what the source throws
 */
export async function textUpTo(
  pieces: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<string | undefined> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > mostBytes) return undefined;
    kept.push(piece);
  }
  return Buffer.concat(kept, length).toString();
}
