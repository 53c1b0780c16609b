import { GatewayError } from '../../../base/errors/errors.ts';

/** Files that are not texts, by their first bytes. */
const kinds: readonly (readonly [begin: string, kind: string])[] = [
  ['PK\x03\x04', 'a ZIP archive, such as XLSX'],
  ['PK\x05\x06', 'an empty ZIP archive'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'an old file of Microsoft Office, such as XLS'],
  ['SQLite format 3\0', 'a database of SQLite'],
  ['\x89PNG\r\n', 'an image'],
  ['\xff\xd8\xff', 'an image'],
  ['GIF8', 'an image'],
  ['%PDF-', 'a PDF'],
  ['BZh', 'compressed with bzip2'],
  ['\xfd7zXZ\0', 'compressed with xz'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  ['Rar!\x1a\x07', 'a RAR archive'],
  ['\x04\x22\x4d\x18', 'compressed with LZ4'],
  ['PAR1', 'Parquet, which is read from a file only'],
  ['ARROW1', 'Arrow, which is read from a file only'],
  ['Obj\x01', 'Avro'],
  ['ORC', 'ORC'],
];

/** The name of the file in the first header of a tar archive is followed by this, at its place. */
const tar = { at: 257, text: 'ustar' };

const remedy = 'Import takes texts, plain or compressed with gzip or zstd, Parquet and Arrow';

/**
 * Refuses the beginning of bytes that are no text.
 *
 * @param head decompressed
 * @throws GatewayError BAD_USER_INPUT, which says what the bytes are, if that is known
 */
export function refuseBinary(head: Buffer): void {
  const begin = head.toString('latin1', 0, 512);
  const isBinary = hasNul(head);
  const kind = kinds.find(
    // A text may begin with letters.
    ([magic]) => begin.startsWith(magic) && (isBinary || /[^ -~]/.test(magic) || isCertain(begin)),
  );
  if (kind !== undefined) throw refusal(`it is ${kind[1]}`);
  if (begin.startsWith(tar.text, tar.at)) throw refusal('it is a tar archive');
  if (isBinary) throw refusal('it has NUL bytes. A text in UTF-16 needs a byte order mark');
}

/** A text may have a NUL in a value. It has few, and is UTF-8 otherwise. */
const maxNulShare = 0.1;

function hasNul(head: Buffer): boolean {
  if (!head.includes(0)) return false;
  const count = head.reduce((sum, byte) => (byte === 0 ? sum + 1 : sum), 0);
  return count > maxNulShare * head.length || !beginsUtf8(head);
}

function beginsUtf8(head: Buffer): boolean {
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** What no text begins with, although it is letters and digits: bzip2 with its first block, and PDF with its version. */
function isCertain(begin: string): boolean {
  return /^(?:BZh[1-9]1AY&SY|%PDF-\d)/.test(begin);
}

function refusal(what: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `It is not a text: ${what}. ${remedy}.`);
}
