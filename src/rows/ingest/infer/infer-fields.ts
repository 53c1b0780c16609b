import { isJsonNumber, JsonNumber, parseWithDigits } from '../../../base/text/json-number.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import { jsonLines } from '../body/json-lines.ts';
import { lineChunks } from '../body/line-chunks.ts';
import { type Line, readLines } from '../body/lines.ts';
import { plainBytes } from '../body/plain-bytes.ts';
import { csvRecords } from '../csv/csv-records.ts';
import { describeValue } from '../encode/row-validation-error.ts';
import { microsOfNumber } from '../encode/time-of-number.ts';
import { microsOfText } from '../encode/time-of-text.ts';
import { isRecord, NotInferable, SeenRecord } from './seen-record.ts';

/** A proposed schema, with what a person should know about it. */
export interface InferredSchema {
  readonly fields: readonly TableField[];
  /** Sentences, each with the path of a field. */
  readonly notes: readonly string[];
  readonly rows: number;
  /** Whether each row has an id and a time, without which import refuses it. */
  readonly canBeImported: boolean;
}

const chunkBytes = 1 << 20;

/** Fields of events that may contain their time, and are not columns for that. */
const timeNames = ['time', '@timestamp'];

/**
 * Proposes the schema of a source for the rows of a file: NDJSON, a JSON array or CSV, each plain or gzip. Reads all rows.
 * Objects are repeated records of one, as Logflare stores them.
 *
 * @throws NotInferable; GatewayError for damaged data
 */
export async function inferFields(bytes: AsyncIterable<Uint8Array>, isCsv: boolean): Promise<InferredSchema> {
  const root = new SeenRecord();
  const times = new SeenTimes();
  for await (const row of isCsv ? csvRows(plainBytes(bytes)) : jsonRows(plainBytes(bytes))) {
    root.add(row);
    times.add(timestampOf(row));
  }
  if (root.records === 0) throw new NotInferable('The file has no rows.');
  const notes: string[] = [];
  const note = (path: string, text: string) => {
    if (!/^(?:id|timestamp)$/i.test(path)) notes.push(`${path}: ${text}`);
  };
  const fields = root.propose(note, isCsv);
  const canBeImported = times.count === root.records && root.isAlways('id');
  return { fields: withNeeded(fields, root, times, notes), notes, rows: root.records, canBeImported };
}

const missingNeeded = 'import refuses these, but they can be posted as events';
const noneHasIt = 'no row has one, so that import refuses all of them';

/** A date, or the end of a time of day with no offset after it. */
const noOffset = /^\d+-\d+-\d+$|[Tt ]\d+:\d+(?::\d+(?:\.\d+)?)?$/;

/** The values of the field `timestamp`. */
class SeenTimes {
  /** How many are times. */
  count = 0;
  /** The first one that is none. */
  other: unknown;
  /** The first one whose distance from UTC is not said. */
  withoutOffset: string | undefined;

  add(value: unknown): void {
    if (isTime(value)) this.count += 1;
    else if (value !== null) this.other ??= value;
    if (typeof value === 'string' && isTime(value) && noOffset.test(value)) this.withoutOffset ??= value;
  }
}

/** Every source needs an id and a time. Collectors' rows get them if they have none. */
function withNeeded(
  fields: readonly TableField[],
  root: SeenRecord,
  times: SeenTimes,
  notes: string[],
): TableField[] {
  const find = (name: string) => fields.find((field) => field.name.toLowerCase() === name);
  const given = find('timestamp');
  if (!root.isEver('timestamp')) notes.push(`timestamp: ${noneHasIt}. ${insteadOfTime(fields)}`);
  else if (!root.isAlways('timestamp')) notes.push(`timestamp: some rows have none; ${missingNeeded}`);
  if (times.other !== undefined) {
    notes.push(
      `timestamp: some values are not times, such as ${describeValue(times.other)}; expected texts such as 2026-01-31T10:00:00Z, with Z or an offset, or numbers since 1970`,
    );
  }
  if (times.withoutOffset !== undefined) {
    notes.push(
      `timestamp: some times have no offset, such as ${describeValue(times.withoutOffset)}; they count as UTC`,
    );
  }
  if (!root.isEver('id'))
    notes.push(`id: ${noneHasIt}. Add ids to the rows, or post them as events, which get an id`);
  else if (!root.isAlways('id')) notes.push(`id: some rows have none; ${missingNeeded}`);
  else if (!['STRING', 'INT64'].includes(find('id')?.type ?? ''))
    notes.push('id: some values are neither texts nor whole numbers, but the column must be STRING');
  const others = fields.filter(({ name, type }) => {
    if (['id', 'timestamp'].includes(name.toLowerCase())) return false;
    return given !== undefined || !timeNames.includes(name.toLowerCase()) || type !== 'TIMESTAMP';
  });
  return [
    { name: find('id')?.name ?? 'id', type: 'STRING', mode: 'REQUIRED' },
    { name: given?.name ?? 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
    ...others,
  ];
}

/** What to do with rows without a field `timestamp`. Others with times may be meant. */
function insteadOfTime(fields: readonly TableField[]): string {
  const [first, ...others] = fields.flatMap(({ name, type, mode }) =>
    type === 'TIMESTAMP' && mode !== 'REPEATED' ? [name] : [],
  );
  if (first === undefined) return 'Add it to the rows, or post them as events, which get the time of arrival';
  const names = [first, ...others].join(' or ');
  const setting = timeNames.includes(first.toLowerCase())
    ? ''
    : `, with "timestamp": ${JSON.stringify(first)} in the source's file`;
  return `It may be ${names}: rename that to timestamp in the rows, or post them as events${setting}`;
}

/** The value of a row's field `timestamp`, in any letter case. */
function timestampOf(row: { readonly timestamp?: unknown }): unknown {
  if (row.timestamp !== undefined) return row.timestamp;
  return Object.entries(row).find(([name]) => name.toLowerCase() === 'timestamp')?.[1];
}

/** What import takes as a time: the texts of GoogleSQL, and numbers that can be times since 2001. */
function isTime(value: unknown): boolean {
  if (!(value instanceof JsonNumber)) return typeof value === 'string' && microsOfText(value) !== undefined;
  if (/^\d{10}\.\d+$/.test(value.text)) return true;
  return /^\d{10,}$/.test(value.text) && microsOfNumber(BigInt(value.text)) !== undefined;
}

async function* jsonRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<object> {
  let first = 1;
  for await (const chunk of lineChunks(jsonLines(bytes), () => chunkBytes)) {
    const lines: Line[] = [];
    first = readLines(chunk, first, { line: (line) => lines.push(line), blankLine: () => undefined });
    for (const line of lines) yield parsedRow(line);
  }
}

function parsedRow({ number, text, fault }: Line): object {
  if (fault !== undefined) throw new NotInferable(`Line ${number}: ${fault}.`);
  let row: unknown;
  try {
    row = parseWithDigits(text);
  } catch (error) {
    throw new NotInferable(`Line ${number}: not JSON: ${error instanceof Error ? error.message : error}.`);
  }
  if (isRecord(row) && !Array.isArray(row)) return row;
  throw new NotInferable(`Line ${number} is not an object.`);
}

async function* csvRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<object> {
  let header: readonly (string | null)[] | undefined;
  for await (const { line, cells } of csvRecords(bytes)) {
    if (header === undefined) {
      header = cells;
      continue;
    }
    if (cells.length !== header.length)
      throw new NotInferable(`Line ${line}: expected ${header.length} cells, got ${cells.length}.`);
    const row = emptyRecord();
    for (const [index, path] of header.entries())
      setAt(row, (path ?? '').split('.'), csvValue(cells[index] ?? null));
    yield row;
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
function csvValue(cell: string | null): unknown {
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
