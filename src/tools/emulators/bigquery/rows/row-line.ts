import type { SourceColumn } from '../../../../definitions/sources/source.ts';
import { maxTimestampMicros, minTimestampMicros } from '../../../../sql/values/timestamp-text.ts';
import { elementType, type ScalarTypeName } from '../../../../sql/values/type.ts';
import { datetimeTextOfMicros } from '../../../../sql/values/value-text.ts';
import { readScalar } from '../wire/scalar-text.ts';

interface RowOptions {
  readonly ignoreUnknownValues: boolean;
}

/**
 * Checks a streamed row against the columns of its table, as BigQuery does, and returns it as a line of NDJSON for the
 * store. Where BigQuery has several wordings, the errors have one of them.
 *
 * @throws RowError
 */
export function rowLine(columns: readonly SourceColumn[], json: object, options: RowOptions): string {
  return recordText(columns, json, '', options);
}

function recordText(
  columns: readonly SourceColumn[],
  record: object,
  within: string,
  options: RowOptions,
): string {
  const given = new Map(Object.entries(record).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  const members: string[] = [];
  for (const column of columns) {
    const { name, value } = given.get(column.name.toLowerCase()) ?? { name: column.name, value: null };
    given.delete(column.name.toLowerCase());
    const path = `${within}${name}`;
    if (value !== null)
      members.push(`${JSON.stringify(column.name)}:${fieldText(column, value, path, options)}`);
    else if (column.mode === 'REQUIRED') {
      throw new RowError(path, `Missing required field: Msg_0_CLOUD_QUERY_TABLE.${path}.`);
    }
  }
  const [unknown] = given.values();
  if (unknown !== undefined && !options.ignoreUnknownValues) {
    throw new RowError(`${within}${unknown.name}`, `no such field: ${unknown.name}.`);
  }
  return `{${members.join()}}`;
}

function fieldText(column: SourceColumn, value: unknown, path: string, options: RowOptions): string {
  if (column.mode !== 'REPEATED') {
    if (Array.isArray(value))
      throw new RowError(path, `Array specified for non-repeated field: ${column.name}.`);
    return valueText(column, value, path, options);
  }
  // BigQuery takes a single value for a list of one.
  const elements: unknown[] = Array.isArray(value) ? value : [value];
  const texts = elements.map((element, i) => {
    const place = `${path}[${i}]`;
    if (element === null) {
      throw new RowError(
        place,
        `Only optional fields can be set to NULL. Field: ${column.name}; Value: NULL`,
      );
    }
    if (Array.isArray(element))
      throw new RowError(place, `Array specified for non-repeated field: ${column.name}.`);
    return valueText(column, element, place, options);
  });
  return `[${texts.join()}]`;
}

function valueText(column: SourceColumn, value: unknown, path: string, options: RowOptions): string {
  const isObject = typeof value === 'object' && value !== null;
  if (column.fields.length > 0) {
    if (!isObject) throw new RowError(path, `This field: ${column.name} is not a record.`);
    return recordText(column.fields, value, `${path}.`, options);
  }
  const { kind } = elementType(column.type);
  if (isObject) throw new RowError(path, `This field: ${column.name} is not a record.`);
  return scalarLine(kind as ScalarTypeName, value, column.name, path);
}

/** How BigQuery describes a value that a type doesn't have. */
const wordings: Readonly<Partial<Record<ScalarTypeName, (text: string, name: string) => string>>> = {
  BOOL: (text) => `Cannot convert value to boolean (bad value): ${text}`,
  INT64: (text) => `Cannot convert value to integer (bad value): ${text}`,
  FLOAT64: (text) => `Cannot convert value to floating point (bad value): ${text}`,
  BYTES: (text, name) => `Could not decode base64 string to bytes. Field: ${name}; Value: ${text}`,
  TIMESTAMP: (text) =>
    `Could not parse '${text}' as a timestamp. Required format is YYYY-MM-DD HH:MM[:SS[.SSSSSS]]`,
};

function scalarLine(kind: ScalarTypeName, value: unknown, name: string, path: string): string {
  if (kind === 'STRING') {
    if (typeof value === 'boolean')
      throw new RowError(path, 'Conversion from bool to string is unsupported.');
    return JSON.stringify(String(value));
  }
  const text = String(value);
  const read =
    kind === 'TIMESTAMP' && typeof value === 'number' ? microsOfSeconds(value) : readScalar(kind, text);
  if (read === undefined) {
    const wording = wordings[kind];
    const message = wording?.(text, name) ?? `Invalid ${kind} value: ${text} Field: ${name}; Value: ${text}`;
    throw new RowError(path, message);
  }
  switch (kind) {
    case 'BOOL':
    case 'INT64':
    case 'JSON':
      return String(read);
    case 'FLOAT64':
      return typeof read === 'number' && Number.isFinite(read)
        ? Object.is(read, -0)
          ? '-0.0'
          : String(read)
        : JSON.stringify(String(read));
    case 'TIMESTAMP':
      return JSON.stringify(`${datetimeTextOfMicros(BigInt(String(read)))}Z`);
    default:
      return JSON.stringify(String(read));
  }
}

/** A number is seconds since the epoch. */
function microsOfSeconds(seconds: number): bigint | undefined {
  const micros = BigInt(Math.round(seconds * 1_000_000));
  return micros < minTimestampMicros || micros > maxTimestampMicros ? undefined : micros;
}

/** Thrown for a row that BigQuery rejects: its error, with the reason `invalid`. */
export class RowError extends Error {
  override readonly name = 'RowError';
  /** The path of the field: `metadata[0].request.method`. */
  readonly location: string;

  constructor(location: string, message: string) {
    super(message);
    this.location = location;
  }
}
