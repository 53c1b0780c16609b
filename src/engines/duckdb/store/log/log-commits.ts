import { checksumOf } from '../file/checksum.ts';
import { type FileBytes, pieceBytes } from '../file/file-bytes.ts';

/**
 * DuckDB's write-ahead log after its header: entries of a length (8 bytes), a checksum (8) and so many bytes, which begin with
 * the entry's type. A commit is some entries and this one. DuckDB syncs the file after it, and only then is a commit
 * acknowledged.
 */
const commitMarker = Buffer.from('0500000000000000e7fe7d722fed3d5e640064ffff', 'hex');

const frameBytes = 16;
/** The shortest entry: its type and its end. */
const leastEntryBytes = 5;
/** More than any entry has: one has at most the rows of a vector. */
const maxEntryBytes = 2 ** 32;

const types = { useTable: 25, insert: 26, rowGroup: 29, checkpoint: 99, commit: 100 };
/** The types of changes, from the creation of a table to the end of a commit. */
const knownTypes = new Set([
  ...[1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
  ...[types.checkpoint, types.commit],
]);

/** A part of a log. Positions are those of bytes in the file. */
type LogPart =
  | {
      readonly kind: 'commit';
      readonly from: number;
      readonly to: number;
      /** Whether it only adds rows, which needs nothing of the commits before. */
      readonly onlyAdds: boolean;
      /** Whether it says that a checkpoint began, of all commits before. */
      readonly isCheckpoint: boolean;
    }
  /** A commit that can't be read, up to its end. */
  | { readonly kind: 'damaged'; readonly from: number; readonly to: number }
  /** What the log ends with, if that is not a commit. */
  | { readonly kind: 'rest'; readonly from: number; readonly to: number; readonly content: RestContent };

/**
 * - `zeros`: nothing else, or the beginning of a commit before them. A system that lost power writes them in place of data that
 *   was not synced.
 * - `incomplete`: the beginning of a commit, of a process that was killed.
 * - `foreign`: no part of a log, from exactly the end of a commit on: also data that was not synced.
 * - `damaged`: anything else. Acknowledged commits may have been there.
 */
export type RestContent = 'zeros' | 'incomplete' | 'foreign' | 'damaged';

/** Damage of synced data begins where a sector of the disk does. */
const sectorBytes = 512;

/**
 * The parts of a log from a position on, in their order.
 *
 * @param from the end of its header
 */
export async function* logParts(log: FileBytes, from: number): AsyncGenerator<LogPart> {
  let begin = from;
  let position = from;
  let entries = new Set<number>();
  while (position < log.size) {
    const entry = await readEntry(log, position);
    if (entry === undefined) {
      const end = await endOfContent(log, position);
      const marker = await findMarker(log, position, end);
      if (marker === undefined) {
        const content = await contentOfRest(log, begin, position, end);
        yield { kind: 'rest', from: begin, to: log.size, content };
        return;
      }
      position = marker + commitMarker.length;
      yield { kind: 'damaged', from: begin, to: position };
    } else {
      position = entry.end;
      entries.add(entry.type);
      if (entry.type !== types.commit) continue;
      const adds = [types.useTable, types.insert, types.rowGroup, types.commit];
      yield {
        ...{ kind: 'commit', from: begin, to: position },
        onlyAdds: [...entries].every((type) => adds.includes(type)),
        isCheckpoint: entries.has(types.checkpoint),
      };
    }
    begin = position;
    entries = new Set();
  }
  if (begin < log.size) yield { kind: 'rest', from: begin, to: log.size, content: 'incomplete' };
}

/** An intact entry. Undefined if there is none. */
async function readEntry(log: FileBytes, position: number) {
  const frame = await log.at(position, frameBytes);
  if (frame.length < frameBytes) return undefined;
  const length = Number(frame.readBigUInt64LE(0));
  const checksum = frame.readBigUInt64LE(8);
  const end = position + frameBytes + length;
  if (length < leastEntryBytes || end > log.size) return undefined;
  const bytes = await log.at(position + frameBytes, length);
  if (checksumOf(bytes) !== checksum) return undefined;
  return { end, type: bytes[2] ?? 0 };
}

/** Where the next commit ends. Rows can't have these bytes: they are no text, and numbers don't have them by chance. */
async function findMarker(log: FileBytes, from: number, end: number): Promise<number | undefined> {
  const step = 512 * 1024;
  for (let position = from; position < end; position += step) {
    const index = (await log.at(position, step + commitMarker.length - 1)).indexOf(commitMarker);
    if (index >= 0) return position + index;
  }
  return undefined;
}

/**
 * What an unreadable rest is, in which no commit ends.
 *
 * @param begin the end of the last commit
 * @param position where the first unreadable entry begins
 * @param end where the zeros at the end begin
 */
async function contentOfRest(
  log: FileBytes,
  begin: number,
  position: number,
  end: number,
): Promise<RestContent> {
  if (end === position) return 'zeros';
  const start = await log.at(position, frameBytes + 3);
  const isCut = end < log.size;
  const length = start.length < 8 ? undefined : Number(start.readBigUInt64LE(0));
  const isBegun = length === undefined || (length < maxEntryBytes && beginsEntry(start, end - position));
  if (isBegun) {
    const entryEnd = position + frameBytes + (length ?? Number.POSITIVE_INFINITY);
    // The end of an entry is never zero.
    if (isCut && end < entryEnd) return 'zeros';
    const isOtherwiseMarker = start[18] === types.commit && length !== leastEntryBytes;
    if (entryEnd > log.size && !isOtherwiseMarker) return 'incomplete';
  }
  return !isBegun && position === begin && position % sectorBytes !== 0 ? 'foreign' : 'damaged';
}

/** @param written how many bytes there are before zeros */
function beginsEntry(start: Buffer, written: number): boolean {
  const [first, second, type] = start.subarray(frameBytes, Math.max(frameBytes, written));
  return (
    (first === undefined || first === 100) &&
    (second === undefined || second === 0) &&
    (type === undefined || knownTypes.has(type))
  );
}

/** Where the zeros at the end begin. */
export async function endOfContent(log: FileBytes, from: number): Promise<number> {
  const zeros = Buffer.alloc(Math.min(pieceBytes, log.size - from));
  for (let end = log.size; end > from; end -= zeros.length) {
    const start = Math.max(from, end - zeros.length);
    const bytes = await log.at(start, end - start);
    // Compared as a whole: there can be gigabytes of them.
    if (bytes.equals(zeros.subarray(0, bytes.length))) continue;
    return start + bytes.findLastIndex((byte) => byte !== 0) + 1;
  }
  return from;
}
