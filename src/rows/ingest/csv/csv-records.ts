import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { GatewayError } from '../../../base/errors/errors.ts';
import { mebibytes } from '../../../base/forms/bytes.ts';
import { maxLineBytes } from '../body/lines.ts';
import { peek } from '../body/peek.ts';
import { delimiterOf } from './delimiter.ts';

/** A record of a CSV file. */
interface CsvRecord {
  /** The number of its last line, from 1. */
  readonly line: number;
  /** NULL for an empty cell without quotes. */
  readonly cells: readonly (string | null)[];
}

const separatorLine = /^\uFEFF?sep=([,;\t|])\r?$/i;

/** The maximum size of the header, in bytes. */
const maxHeaderBytes = 1 << 20;

/**
 * Reads CSV (RFC 4180): the separator is the most frequent one of `,` `;` tab and `|` in the header. The first record is
 * the header, perhaps after a line such as `sep=;`, by which Excel names the separator. The bytes may begin with a byte order mark.
 *
 * @throws GatewayError BAD_USER_INPUT, while reading, for bytes that are not UTF-8 or not CSV
 */
export async function* csvRecords(given: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const { head, bytes } = await peek(given, (read) => read.includes(0x0a) || read.length > maxHeaderBytes);
  const first = head.toString('utf8').split('\n', 1)[0] ?? '';
  const [, named] = separatorLine.exec(first) ?? [];
  const parser = parse({
    bom: true,
    delimiter: named ?? delimiterOf(first),
    from_line: named === undefined ? 1 : 2,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxLineBytes,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  });
  const source = Readable.from(checkedUtf8(bytes));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const read of parser) {
      const { record, info } = read as { record: (string | null)[]; info: Info };
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new GatewayError('BAD_USER_INPUT', `The file is not CSV: ${faultOf(error)}.`, { cause: error });
  } finally {
    source.destroy();
  }
}

/** What is wrong, in words for the importer. */
function faultOf({ code, lines }: CsvError & { readonly lines?: unknown }): string {
  const place = typeof lines === 'number' ? `line ${lines}` : 'a line';
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `a cell that begins with a quote on ${place} doesn't end with one`;
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `the record on ${place} is longer than ${mebibytes(maxLineBytes)}; perhaps a quote isn't closed`;
  return `${place} can't be read`;
}

async function* checkedUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (piece?: Uint8Array) => {
    try {
      decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new GatewayError('BAD_USER_INPUT', 'The file is not UTF-8.');
    }
  };
  for await (const piece of bytes) {
    check(piece);
    yield piece;
  }
  check();
}
