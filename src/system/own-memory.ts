/**
 * The bytes in a piece of memory of their own. What compression and concatenation give is often a small part of a larger
 * piece, all of which would be kept as long as the bytes are.
 */
export function ownMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}
