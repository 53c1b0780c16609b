import { GatewayError } from '../../../base/errors/errors.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import type { Line } from '../body/lines.ts';
import { cellWriter } from './cell-value.ts';
import { csvRecords } from './csv-records.ts';
import { FieldCells } from './field-cells.ts';
import { headerColumns } from './header-names.ts';

/**
 * The records of a CSV file as lines of NDJSON. The names in the header are those of columns, or paths of fields in records:
 * `metadata.level`, or what the source renames to them; see `headerColumns`. An empty cell without quotes is NULL. Cells of records, repeated columns and JSON contain JSON.
 *
 * @throws GatewayError BAD_USER_INPUT, while reading, for a header that doesn't fit the source, and as `csvRecords` does
 */
export async function* csvLines(bytes: AsyncIterable<Uint8Array>, source: Source): AsyncGenerator<Line> {
  let writer: RecordWriter | undefined;
  let width = 0;
  for await (const { line: number, cells } of csvRecords(bytes)) {
    if (writer === undefined) {
      writer = headerWriter(cells, source);
      width = cells.length;
    } else if (cells.length === width) {
      yield { number, text: writer.write(cells) ?? '{}' };
    } else {
      const fault = `expected ${width} cells, got ${cells.length}`;
      yield { number, text: JSON.stringify(cells).slice(0, 1000), fault };
    }
  }
  if (writer === undefined) throw refusal('it is empty, and CSV begins with a header');
}

function headerWriter(header: readonly (string | null)[], source: Source): RecordWriter {
  const root = new RecordWriter();
  const cells = new FieldCells(source);
  for (const [index, { name, given }] of headerColumns(header).entries()) {
    const renamed = cells.renamed(name);
    if (renamed !== undefined) root.addCell(name, index, renamed);
    else if (!root.add(name, source.columns, index)) {
      const lacking = `the source ${source.name} has no column ${name}`;
      if (given === name) throw refusal(lacking);
      throw refusal(
        given === null
          ? `column ${index + 1} of the header has no name, and ${lacking}`
          : `the header has the column ${given} twice, and ${lacking}`,
      );
    }
  }
  return root;
}

type Cells = readonly (string | null)[];

/** Writes the cells of a record, or of a record within it, as a JSON object. */
class RecordWriter {
  readonly #members: { readonly key: string; readonly write: (cells: Cells) => string | undefined }[] = [];
  readonly #records = new Map<string, RecordWriter>();

  /** Adds the cell at an index. Returns false if there is no such column or path. */
  add(path: string, columns: readonly SourceColumn[], index: number): boolean {
    const named = (name: string) =>
      columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
    const column = named(path);
    if (column !== undefined) {
      this.addCell(column.name, index, cellWriter(column));
      return true;
    }
    const [first = '', ...rest] = path.split('.');
    const record = named(first);
    if (record === undefined || rest.length === 0) return false;
    return this.#within(record).add(rest.join('.'), record.fields, index);
  }

  /** Adds the cell at an index as a member. */
  addCell(name: string, index: number, write: (cell: string) => string): void {
    this.#members.push({
      key: JSON.stringify(name),
      write: (cells) => {
        const cell = cells[index] ?? null;
        return cell === null ? undefined : write(cell);
      },
    });
  }

  #within({ name, mode }: SourceColumn): RecordWriter {
    let writer = this.#records.get(name);
    if (writer === undefined) {
      const made = new RecordWriter();
      writer = made;
      this.#records.set(name, made);
      this.#members.push({
        key: JSON.stringify(name),
        write: (cells) => {
          const text = made.write(cells);
          return text === undefined || mode !== 'REPEATED' ? text : `[${text}]`;
        },
      });
    }
    return writer;
  }

  /** Undefined if all cells are NULL. */
  write(cells: Cells): string | undefined {
    const members = this.#members.flatMap(({ key, write }) => {
      const text = write(cells);
      return text === undefined ? [] : [`${key}:${text}`];
    });
    return members.length === 0 ? undefined : `{${members.join()}}`;
  }
}

function refusal(what: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `The file can't be imported: ${what}.`);
}
