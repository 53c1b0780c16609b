import type { Source } from '../../../definitions/sources/source.ts';
import { refuseBinary } from '../body/binary-file.ts';
import { jsonLines } from '../body/json-lines.ts';
import type { Line } from '../body/lines.ts';
import { peek } from '../body/peek.ts';
import { plainText } from '../body/plain-bytes.ts';
import { csvLines } from '../csv/csv-lines.ts';
import { logLines } from '../logs/log-lines.ts';
import { formatNames, formatOf, logReader, type TextFormat } from './text-format.ts';

/** A text file whose form is known. */
export interface FormedText {
  readonly format: TextFormat;
  /** Decompressed, in UTF-8. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** What is known of a text file besides its bytes. */
export interface TextFile {
  /** `-` for standard input. */
  readonly name: string;
  /** When it was last changed: see `syslogReader`. */
  readonly changed: Date;
  /** By default, its name or its content tells. */
  readonly format?: TextFormat | undefined;
}

/** Bytes within which a file shows its form. */
const headBytes = 1 << 16;

/**
 * Finds the form of a text file: plain, gzip or zstd, in UTF-8 or UTF-16.
 *
 * @throws GatewayError BAD_USER_INPUT for a file that is no text
 */
export async function formedText(
  given: AsyncIterable<Uint8Array>,
  { name, format }: Pick<TextFile, 'name' | 'format'>,
): Promise<FormedText> {
  const { head, bytes } = await peek(plainText(given), ({ length }) => length >= headBytes);
  refuseBinary(head);
  if (format !== undefined) return { format, bytes };
  return { format: formatOf(head.toString('utf8'), name, head.length < headBytes), bytes };
}

/** The rows of a text file, for a source: as NDJSON, or as lines of it. */
export function rowsOfText(
  { format, bytes }: FormedText,
  source: Source,
  { changed }: Pick<TextFile, 'changed'>,
): { readonly bytes: AsyncIterable<Uint8Array> } | { readonly lines: AsyncIterable<Line> } {
  if (format === 'json') return { bytes: jsonLines(bytes) };
  if (format === 'csv') return { lines: csvLines(bytes, source) };
  return { lines: logLines(bytes, logReader(format, changed), { source, formatName: formatNames[format] }) };
}
