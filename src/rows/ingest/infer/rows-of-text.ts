import { isJsonNumber, JsonNumber, mayLoseDigits, parseWithDigits } from '../../../base/text/json-number.ts';
import { jsonLines } from '../body/json-lines.ts';
import { lineChunks } from '../body/line-chunks.ts';
import { type Line, readLines } from '../body/lines.ts';
import { csvRecords } from '../csv/csv-records.ts';
import { type HeaderColumn, headerColumns } from '../csv/header-names.ts';
import { jsonFaultText } from '../encode/row-encoder.ts';
import { readLog } from '../logs/log-lines.ts';
import type { LogReader } from '../logs/log-record.ts';
import { isRecord } from './seen-record.ts';

/** What reading rows tells besides them. */
export interface Reading {
  /** Rows that were left out, of a large file. */
  skipped: number;
  /** Lines that are no rows. */
  unread: number;
  /** The first of them, and why. */
  firstFault: string | undefined;
}

function noteFault(reading: Reading, line: number, fault: string): void {
  reading.unread += 1;
  reading.firstFault ??= `line ${line}: ${fault}`;
}

const chunkBytes = 1 << 20;

/** Of a larger text, in bytes, only a part of the rest is read: every so many chunks one. */
const readWhole = 64 * chunkBytes;
const chunksPerSample = 8;

/** The rows of NDJSON, a JSON array or objects. */
export async function* jsonRows(bytes: AsyncIterable<Uint8Array>, reading: Reading): AsyncGenerator<object> {
  let first = 1;
  let length = 0;
  let chunks = 0;
  for await (const chunk of lineChunks(jsonLines(bytes), () => chunkBytes)) {
    length += chunk.length;
    chunks += 1;
    if (length > readWhole && chunks % chunksPerSample !== 0) {
      const lines = lineEnds(chunk);
      reading.skipped += lines;
      first += lines;
      continue;
    }
    const lines: Line[] = [];
    first = readLines(chunk, first, { line: (line) => lines.push(line), blankLine: () => undefined });
    for (const line of lines) {
      const row = parsedRow(line);
      if (typeof row === 'object') yield row;
      else noteFault(reading, line.number, row);
    }
  }
}

const lineFeed = 0x0a;

function lineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}

/**
 * Plain parsing is several times as fast. It loses no digits that a type depends on, unless a number has many.
 *
 * @returns the row, or why the line is none
 */
function parsedRow({ text, fault }: Line): object | string {
  if (fault !== undefined) return fault;
  let row: unknown;
  try {
    row = needsDigits(text) ? parseWithDigits(text) : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return `not JSON: ${jsonFaultText(error)}`;
    if (error instanceof RangeError) return 'nested too deeply';
    throw error;
  }
  return isRecord(row) && !Array.isArray(row) ? row : 'not an object';
}

/** Numbers with many digits, and those whose last decimal is a zero, such as `12.50` and `1.0`. */
function needsDigits(text: string): boolean {
  return mayLoseDigits(text) || /:\s*-?\d+\.\d*0[,\s}\]]/.test(text);
}

/** The rows of CSV. */
export async function* csvRows(bytes: AsyncIterable<Uint8Array>, reading: Reading): AsyncGenerator<object> {
  let header: readonly HeaderColumn[] | undefined;
  let length = 0;
  for await (const { line, cells } of csvRecords(bytes)) {
    if (header === undefined) {
      header = headerColumns(cells);
      continue;
    }
    length += cells.reduce((sum, cell) => sum + (cell?.length ?? 0) + 1, 0);
    if (length > readWhole && line % chunksPerSample !== 0) {
      reading.skipped += 1;
      continue;
    }
    if (cells.length !== header.length) {
      noteFault(reading, line, `expected ${header.length} cells, got ${cells.length}`);
      continue;
    }
    const row = emptyRecord();
    for (const [index, { name }] of header.entries())
      setAt(row, name.split('.'), cellValue(cells[index] ?? null));
    yield row;
  }
}

/** The rows of a log. */
export async function* logRows(
  bytes: AsyncIterable<Uint8Array>,
  { reader, formatName }: { readonly reader: LogReader; readonly formatName: string },
  reading: Reading,
): AsyncGenerator<object> {
  let length = 0;
  for await (const { line, record } of readLog(bytes, reader)) {
    length += line.text.length + 1;
    if (length > readWhole && line.number % chunksPerSample !== 0) reading.skipped += 1;
    else if (record === undefined) noteFault(reading, line.number, line.fault ?? `not in ${formatName}`);
    else
      yield Object.fromEntries(
        Object.entries(record).map(([name, value]) => [
          name,
          typeof value === 'string' && name !== 'event_message' ? cellValue(value) : value,
        ]),
      );
  }
}

type Nested = { [name: string]: unknown };

/** Without a prototype, which a column named `__proto__` would otherwise reach. */
function emptyRecord(): Nested {
  return Object.create(null);
}

/** Sets the value at a path of names through records, as `csvLines` reads them. */
function setAt(record: Nested, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    record[name] = value;
    return;
  }
  if (value === null) return;
  const inner = record[name];
  const within = (typeof inner === 'object' && inner !== null ? inner : emptyRecord()) as Nested;
  record[name] = within;
  setAt(within, rest, value);
}

/** A cell as a JSON value, by its text. */
function cellValue(cell: string | null): unknown {
  if (cell === null) return null;
  if (/^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  if (isJsonNumber(cell)) return new JsonNumber(cell);
  if (!/^[[{]/.test(cell)) return cell;
  try {
    return parseWithDigits(cell);
  } catch {
    return cell;
  }
}
