/** U+FEFF in UTF-8, with which some programs begin a text. */
export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The bytes after a byte order mark at their start, or all of them. */
export function afterMark(bytes: Buffer): Buffer {
  const { length } = byteOrderMark;
  return bytes.subarray(0, length).equals(byteOrderMark) ? bytes.subarray(length) : bytes;
}
