/**
 * Copies bytes into memory of their own. Results of compression and concatenation are often a small part of a larger
 * allocation, which they would keep alive.
 */
export function ownMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}
