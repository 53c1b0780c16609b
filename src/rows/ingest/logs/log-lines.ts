import type { Source } from '../../../definitions/sources/source.ts';
import { lineChunks } from '../body/line-chunks.ts';
import { type Line, readLines } from '../body/lines.ts';
import { cellWriter } from '../csv/cell-value.ts';
import { FieldCells } from '../csv/field-cells.ts';
import type { LogReader, LogRecord } from './log-record.ts';

/** A line of a log, with its number, and what it says unless it can't be read. */
export interface ReadLine {
  readonly line: Line;
  readonly record: LogRecord | undefined;
}

const chunkBytes = 1 << 20;

/** Reads the lines of a log. Blank ones are left out. */
export async function* readLog(
  bytes: AsyncIterable<Uint8Array>,
  reader: LogReader,
): AsyncGenerator<ReadLine> {
  let first = 1;
  for await (const chunk of lineChunks(bytes, () => chunkBytes)) {
    const lines: Line[] = [];
    first = readLines(chunk, first, { line: (line) => lines.push(line), blankLine: () => undefined });
    for (const line of lines)
      yield { line, record: line.fault === undefined ? reader(line.text) : undefined };
  }
}

/**
 * The lines of a log as lines of NDJSON, for a source. Its message is left out if the source has no column for it.
 *
 * @param formatName in the reason that a line can't be read
 */
export async function* logLines(
  bytes: AsyncIterable<Uint8Array>,
  reader: LogReader,
  { source, formatName }: { readonly source: Source; readonly formatName: string },
): AsyncGenerator<Line> {
  const cells = new RecordCells(source);
  for await (const { line, record } of readLog(bytes, reader)) {
    if (record !== undefined) yield { number: line.number, text: cells.write(record) };
    else yield { fault: `not in ${formatName}`, ...line };
  }
}

/** Writes records as JSON. Texts become what the source's columns have. */
class RecordCells {
  readonly #columns: Source['columns'];
  readonly #fields: FieldCells;
  readonly #writers = new Map<string, (cell: string) => string>();
  readonly #takesMessage: boolean;

  constructor(source: Source) {
    this.#columns = source.columns;
    this.#fields = new FieldCells(source);
    this.#takesMessage =
      this.#fields.renamed('event_message') !== undefined || this.#named('event_message') !== undefined;
  }

  write(record: LogRecord): string {
    let text = '';
    for (const [name, value] of Object.entries(record)) {
      if (value === null || (name === 'event_message' && !this.#takesMessage)) continue;
      const written = typeof value === 'string' ? this.#writer(name)(value) : JSON.stringify(value);
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${written}`;
    }
    return `{${text}}`;
  }

  #writer(name: string): (cell: string) => string {
    let writer = this.#writers.get(name);
    if (writer === undefined) {
      const column = this.#named(name);
      writer = this.#fields.renamed(name) ?? (column === undefined ? JSON.stringify : cellWriter(column));
      this.#writers.set(name, writer);
    }
    return writer;
  }

  #named(name: string) {
    return this.#columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  }
}
